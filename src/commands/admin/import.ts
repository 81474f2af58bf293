import type { Context } from '../../context.js';
import type { ServiceLocation } from '../../contract/command-words.js';
import { countOf } from '../../contract/count-of.js';
import { importDirectory } from '../../service/administration/import.js';

export interface ImportOptions extends ServiceLocation {
  /** The data directory that is copied. */
  directory: string;
}

/**
 * Copies the data directory of a stopped service into an empty database. @throws OcrError USAGE, DATA_DIR_LOCKED,
 * DATABASE_UNUSABLE
 */
export async function importData({ env, output }: Context, options: ImportOptions): Promise<void> {
  const view = await importDirectory(options, env, options.directory);
  if (output.isJson) return await output.json(view);
  const content = [
    countOf(view.organisations, 'organisation'),
    countOf(view.jobs, 'job'),
    countOf(view.requests, 'request'),
    countOf(view.documents, 'document'),
  ];
  await output.text(`${content.join(', ')} from ${view.dataDir}\n`);
  output.note(`Every process of the database needs the secret ${view.secretFile}: OCR_SERVE_SECRET_FILE`);
}
