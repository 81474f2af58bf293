import { join } from 'node:path';

/** Returns the folder of installed languages in a data directory. The service on that directory reads it. */
export function languageFolderOf(dataDir: string): string {
  return join(dataDir, 'languages');
}
