// Moves a document through a storage: node blob-mover.mjs <postgres://… or a directory> put|get <facts as JSON> <file>
// Prints a line for each write of the store, then the resident memory in MiB before and at most, as JSON.
import { open } from 'node:fs/promises';
import { createRowStorage } from '../../../dist/store/blobs/row-storage.js';
import { UploadFile } from '../../../dist/store/blobs/upload-file.js';
import { openStore as openPostgres } from '../../../dist/store/postgres/open-store.js';
import { openStore as openSqlite } from '../../../dist/store/sqlite/open-store.js';

const [place, direction, facts, path] = process.argv.slice(2);
const opened = place.startsWith('postgresql:')
  ? await openPostgres({ url: place, maxConnections: 2, applicationName: 'mover' })
  : await openSqlite(`${place}/ocr.db`);
const store = {
  ...opened,
  write: async (...work) => {
    const value = await opened.write(...work);
    process.stdout.write('written\n');
    return value;
  },
};
const storage = createRowStorage(store);
const MIB = 1024 * 1024;
const before = process.memoryUsage().rss / MIB;
if (direction === 'put') await storage.put(JSON.parse(facts), new UploadFile(path));
else await storage.get(JSON.parse(facts), path);
await (await open(path)).close();
process.stdout.write(`${JSON.stringify({ before, most: process.resourceUsage().maxRSS / 1024 })}\n`);
await opened.close();
