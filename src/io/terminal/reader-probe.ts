const { fstatSync } = process.getBuiltinModule('node:fs');

/**
 * WebAssembly that hands out the one function of WASI that asks the system about a descriptor:
 * (module (import "wasi_snapshot_preview1" "poll_oneoff" (func (param i32 i32 i32 i32) (result i32)))
 *   (memory (export "memory") 1) (export "poll" (func 0)))
 */
const MODULE =
  'AGFzbQEAAAABCQFgBH9/f38BfwImARZ3YXNpX3NuYXBzaG90X3ByZXZpZXcxC3BvbGxfb25lb2ZmAAAFAwEAAQcRAgZtZW1vcnkCAARwb2xsAAA=';

/** The layout of WASI, preview 1: two subscriptions at 0 and 48, events from 128 on, their number at 256. */
const [TIMER_AT, EVENTS_AT, COUNT_AT] = [48, 128, 256];
const [CLOCK, FD_WRITE] = [0, 2];
const MONOTONIC = 1;
/** Bounds the time in which a full pipe holds the event loop up. */
const PATIENCE_NS = 1_000_000n;

/**
 * Returns a function that is true once nobody reads from a pipe any more; undefined where that cannot be told. A write
 * would tell, but there is nothing to write. libuv asks for the state of a pipe only while it is full, and WASI alone lets
 * a program ask (decision 150).
 */
export function createReaderProbe(fd: number): (() => boolean) | undefined {
  try {
    if (process.platform === 'win32' || !fstatSync(fd).isFIFO()) return undefined;
    return createPoll(fd);
  } catch {
    return undefined;
  }
}

/** The part of WebAssembly that is used here: Node's types leave it out. */
interface WebAssemblyNamespace {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> };
}
const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyNamespace };

function createPoll(fd: number): () => boolean {
  const wasi = createWasi();
  const module = new WebAssembly.Module(Buffer.from(MODULE, 'base64'));
  const instance = new WebAssembly.Instance(module, wasi.getImportObject());
  wasi.initialize(instance);
  const { memory, poll } = instance.exports as { memory: { buffer: ArrayBuffer }; poll: (...at: number[]) => number };
  const view = new DataView(memory.buffer);
  view.setUint8(8, FD_WRITE);
  view.setUint32(16, fd, true);
  view.setUint8(TIMER_AT + 8, CLOCK);
  view.setUint32(TIMER_AT + 16, MONOTONIC, true);
  view.setBigUint64(TIMER_AT + 24, PATIENCE_NS, true);
  return () => {
    if (poll(0, EVENTS_AT, 2, COUNT_AT) !== 0 || view.getUint32(COUNT_AT, true) === 0) return false;
    const [error, type] = [view.getUint16(EVENTS_AT + 8, true), view.getUint8(EVENTS_AT + 10)];
    return type === FD_WRITE && error !== 0;
  };
}

/** Without Node's warning that WASI is an experiment. */
function createWasi() {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    const { WASI } = process.getBuiltinModule('node:wasi');
    return new WASI({ version: 'preview1' });
  } finally {
    process.emitWarning = emitWarning;
  }
}
