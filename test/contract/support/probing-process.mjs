// Speaks the protocol of src/service/documents/protocol.ts and tells what it was able to do, so that its confinement can be
// tested: on its main thread and, where documents are opened, in a worker thread.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

if (isMainThread) {
  process.on('disconnect', () => process.exit(1));
  process.on('message', async (task) => {
    const here = await probe(task.args);
    const worker = new Worker(new URL(import.meta.url), { workerData: task.args });
    const inThread = await new Promise((resolve) => worker.once('message', resolve));
    process.send({ type: 'done', body: JSON.stringify({ here, inThread }), provider: 'test', pageCount: 1 });
  });
} else {
  parentPort.postMessage(await probe(workerData));
}

async function probe({ readable, unreadable, writable, port }) {
  return {
    readsItsDocument: attempt(() => readFileSync(readable)),
    readsOthers: attempt(() => readFileSync(unreadable)),
    writes: attempt(() => writeFileSync(writable, 'x')),
    startsPrograms: attempt(() => execFileSync('true')),
    // The system limits a program that Node's permission model does not reach: files that it writes stay empty.
    programWrites: attemptBy('sh', ['-c', 'echo x > "$0" && test -s "$0"', writable]),
    connects: await attemptToConnect(port),
    limits: process.report.getReport().userLimits,
  };
}

function attemptBy(program, args) {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return 'yes';
  } catch {
    return 'refused';
  } finally {
    removeEmpty(args.at(-1));
  }
}

function removeEmpty(path) {
  try {
    execFileSync('rm', ['-f', path]);
  } catch {
    // Without the permission to start programs there is no file.
  }
}

function attempt(work) {
  try {
    const value = work();
    return typeof value === 'string' ? value : 'yes';
  } catch (error) {
    return error.code;
  }
}

function attemptToConnect(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve('yes'));
    socket.on('error', (error) => resolve(error.code));
  });
}
