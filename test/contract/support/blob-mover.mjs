// Moves a document through a storage: node blob-mover.mjs <postgresql://… or s3://…> put|get <facts as JSON> <file>
// Prints a line for each write of the store, then the resident memory in MiB before and at most, as JSON.
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createRowStorage } from '../../../dist/store/blobs/row-storage.js';
import { openS3Client } from '../../../dist/store/blobs/s3/client.js';
import { createDocumentObjects } from '../../../dist/store/blobs/s3/document-objects.js';
import { locateBucket } from '../../../dist/store/blobs/s3/location.js';
import { UploadFile } from '../../../dist/store/blobs/upload-file.js';
import { openStore } from '../../../dist/store/postgres/open-store.js';

const [place, direction, facts, path] = process.argv.slice(2);
const { storage, close } = place.startsWith('s3:') ? await openBucket() : await openRows();

async function openBucket() {
  const client = await openS3Client({ location: locateBucket(place, process.env), now: Date.now });
  return { storage: createDocumentObjects(client, 'some/prefix/'), close: client.close };
}

async function openRows() {
  const opened = await openStore({ url: place, maxConnections: 2, applicationName: 'mover' });
  const write = async (...work) => {
    const value = await opened.write(...work);
    process.stdout.write('written\n');
    return value;
  };
  return { storage: createRowStorage({ ...opened, write }), close: opened.close };
}

/** Not `resourceUsage().maxRSS`: a new process begins with that of the one that started it. */
const readMost = () => Number(/VmHWM:\s*(\d+)/.exec(readFileSync('/proc/self/status', 'latin1'))?.[1]) / 1024;
const before = readMost();
if (direction === 'put') await storage.put(JSON.parse(facts), new UploadFile(path));
else await storage.get(JSON.parse(facts), path);
await (await open(path)).close();
process.stdout.write(`${JSON.stringify({ before, most: readMost() })}\n`);
await close();
