// A stand-in for the service: it has keys, a store and a socket in its data directory, and starts an attack confined as its
// document processes are: node attacked-service.mjs <dataDir> <folder of the attack> <command of the attack>…
// Prints what the confinement claims, and then what the attack prints. The attack gets descriptor 3.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { findConfinement } from '../../../dist/service/documents/confinement/find-confinement.js';
import { describeLacks } from '../../../dist/service/documents/confinement/isolation.js';
import { minimalEnvironment } from '../../../dist/service/documents/minimal-environment.js';

const [dataDir, folder, ...command] = process.argv.slice(2);
const room = join(dataDir, 'reading', 'run-0');
mkdirSync(room, { recursive: true });
for (const path of ['api-key', 'secret', 'ocr.db', 'victim', 'reading/run-0/document'])
  writeFileSync(join(dataDir, path), 'private');
const listen = (...to) =>
  new Promise((resolve) => {
    const server = createServer().listen(...to, () => resolve(server));
  });
await listen(join(dataDir, 'socket'));
await listen(`\0${dataDir}`);
const server = await listen(0, '127.0.0.1');

const { isolation, failures, wrap } = await findConfinement({ dataDir, programs: [], furtherCode: [folder] });
process.stdout.write(`${JSON.stringify({ isolation, failures, warnings: describeLacks(isolation, failures) })}\n`);
const [file, ...args] = wrap([...command, dataDir, room, process.pid, server.address().port].map(String), room, {
  memoryBytes: 2 ** 32,
  mayWrite: false,
});
const child = spawn(file, args, {
  detached: true,
  env: minimalEnvironment(process.env),
  stdio: ['ignore', 'inherit', 'inherit', 3],
});
child.on('exit', (code, signal) => process.stdout.write(`${JSON.stringify({ ended: code ?? signal })}\n`));
