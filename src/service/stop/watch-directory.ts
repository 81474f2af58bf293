import { EXIT } from '../../contract/exit-codes.js';
import { OcrError } from '../../contract/ocr-error.js';
import { isDirectoryLost } from '../data-directory/data-directory.js';
import type { ServiceComponents } from '../service-components.js';

const LOOK_EVERY_MS = 1_000;

/**
 * Stops a service whose data directory is gone, because it could not store new documents. Returns the function that ends the
 * watch.
 */
export function watchDirectory(
  { config: { dataDir }, instanceId, log }: ServiceComponents,
  fail: (fault: OcrError) => Promise<void>,
): () => void {
  const look = async () => {
    if (!(await isDirectoryLost(dataDir, instanceId))) return;
    const message = `The data directory ${dataDir} was removed, or another service has taken it`;
    log.error({ dataDir }, 'the data directory was removed, or another service has taken it: stopping');
    await fail(new OcrError('DATA_DIR_UNWRITABLE', message, { exitCode: EXIT.failed }));
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
