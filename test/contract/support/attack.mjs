// Stands in for native code that a document has taken over: Node without its permission model can ask the system for most of
// what such code could. Prints {attack: 'done' or an error code}, and leaves a child in a session of its own.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { join } from 'node:path';

const require = createRequire(import.meta.url);
const [dataDir, room, servicePid, port] = process.argv.slice(2);
const results = {
  readsItsDocument: attempt(() => readFileSync(join(room, 'document'))),
  writesInItsRoom: attempt(() => writeFileSync(join(room, 'written'), '')),
  readsKey: attempt(() => readFileSync(join(dataDir, 'api-key'))),
  readsSecret: attempt(() => readFileSync(join(dataDir, 'secret'))),
  // A shared writable mapping takes a descriptor like this one.
  opensStore: attempt(() => closeSync(openSync(join(dataDir, 'ocr.db'), 'r+'))),
  removesFile: attempt(() => unlinkSync(join(dataDir, 'victim'))),
  readsSystemFile: attempt(() => readFileSync('/etc/passwd')),
  listsRoot: attempt(() => void readdirSync('/home')),
  runsShell: attempt(() => {
    const { error } = spawnSync('/bin/sh', ['-c', 'exit 0']);
    if (error) throw error;
  }),
  connectsToSocket: await attemptToConnect({ path: join(dataDir, 'socket') }),
  connectsToNetwork: await attemptToConnect({ port: Number(port), host: '127.0.0.1' }),
  signalsService: attempt(() => process.kill(Number(servicePid), 0)),
  readsMemory: attempt(() => closeSync(openSync(`/proc/${servicePid}/mem`, 'r+'))),
};
// Descriptor 3 stays open as long as one of them lives. They end when nobody reads from it.
process.stdout.write(`${JSON.stringify(results)}\n`);
const live = () => {
  try {
    require('node:fs').writeSync(3, '.');
  } catch {
    process.exit();
  }
};
const child = `setInterval(${live}, 50)`;
spawn(process.execPath, ['-e', child], { detached: true, stdio: ['pipe', 'pipe', 'pipe', 3] });
setInterval(live, 50);

function attempt(work) {
  try {
    work();
    return 'done';
  } catch (error) {
    return error.code;
  }
}

function attemptToConnect(to) {
  return new Promise((resolve) => {
    const socket = connect(to);
    socket.on('connect', () => resolve('done'));
    socket.on('error', (error) => resolve(error.code));
  });
}
