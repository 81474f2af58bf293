import { EXIT } from '../../contract/exit-codes.js';
import { OcrError } from '../../contract/ocr-error.js';
import { LOCK_FILE_NAME } from '../../store/sqlite/directory-lock.js';
import { isDirectoryLost, STORE_FILE_NAME } from '../data-directory/data-directory.js';
import type { ServiceComponents } from '../service-components.js';

const LOOK_EVERY_MS = 1_000;

/**
 * Stops a service whose data directory is gone, because it could not store new documents. Returns the function that ends the
 * watch.
 */
export function watchDirectory(
  { config: { dataDir }, store, instanceId, log }: ServiceComponents,
  fail: (fault: OcrError) => Promise<void>,
): () => void {
  const fileName = store.isShared ? LOCK_FILE_NAME : STORE_FILE_NAME;
  const look = async () => {
    if (!(await isDirectoryLost(dataDir, instanceId, fileName))) return;
    const message = `The data directory ${dataDir} was removed, or another service has taken it`;
    log.error({ dataDir }, 'the data directory was removed, or another service has taken it: stopping');
    await fail(new OcrError('DATA_DIR_UNWRITABLE', message, { exitCode: EXIT.failed }));
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
