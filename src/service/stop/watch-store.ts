import { EXIT } from '../../contract/exit-codes.js';
import { OcrError } from '../../contract/ocr-error.js';
import type { ServiceComponents } from '../service-components.js';

/**
 * Stops a service whose disk has failed during a write. What was written last may be lost in a power cut although it can be
 * read, so nothing more may be acknowledged; the next start finds out what was kept.
 */
export function watchStore(
  { config: { dataDir }, store, log }: ServiceComponents,
  fail: (fault: OcrError) => Promise<void>,
): void {
  void store.failed.then(async (failure) => {
    const { file, step, reason } = failure;
    log.error({ file, step, reason }, 'the disk has failed: stopping, because the last writes are uncertain');
    await fail(
      new OcrError('DATA_DIR_UNWRITABLE', `Cannot write the data directory ${dataDir}: ${failure.message}`, {
        hint: 'Nothing acknowledged is lost. Check the disk, then start the service again: it continues with what is on disk.',
        exitCode: EXIT.failed,
        cause: failure,
      }),
    );
  });
}
