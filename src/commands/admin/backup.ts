import type { Context } from '../../context.js';
import type { ServiceLocation } from '../../contract/command-words.js';
import { countOf } from '../../contract/count-of.js';
import { backUp } from '../../service/administration/backup.js';

export interface BackupOptions extends ServiceLocation {
  /** Destination of the copy. */
  directory: string;
}

/** Copies a service's data directory as of one moment, even while the service runs. @throws OcrError USAGE, OUTPUT_UNWRITABLE */
export async function backup({ env, output }: Context, options: BackupOptions): Promise<void> {
  const view = await backUp(options, env, options.directory);
  if (view.missingDocuments > 0)
    output.note(
      `In ${view.dataDir} ${countOf(view.missingDocuments, 'document')} of unfinished jobs cannot be found; their jobs will fail`,
    );
  if (output.isJson) return await output.json(view);
  await output.text(`${view.backup}\n`);
  const content = [
    countOf(view.organisations, 'organisation'),
    countOf(view.jobs, 'job'),
    countOf(view.requests, 'request'),
    countOf(view.documents, 'document'),
    countOf(view.sizeBytes, 'byte'),
  ];
  output.note(`${content.join(', ')}. A service can run on a copy of it: ocr serve --data-dir <copy>`);
}
