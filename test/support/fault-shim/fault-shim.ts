import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readSync, renameSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('./shim.c', import.meta.url));

/** The layout of `struct control` in shim.c. */
const RULES_AT = 16;
const RULE_BYTES = 96;
const SUFFIX_AT = 20;
const MAX_RULES = 8;
const CONTROL_BYTES = RULES_AT + MAX_RULES * RULE_BYTES;

/** Numbers of Linux. `kill` ends the process by SIGKILL in place of the call. */
const ERRORS = { EPERM: 1, EIO: 5, ENOSPC: 28, kill: -1 } as const;
const OPERATIONS = { write: 1, sync: 2, truncate: 4, create: 8, rename: 16, link: 32 } as const;

export interface FaultRule {
  operations: ReadonlyArray<keyof typeof OPERATIONS>;
  /** End of the path of the files; empty for all of them. */
  file: string;
  error: keyof typeof ERRORS;
  /** Calls that succeed before. */
  after?: number;
  /** Calls that fail; without it all later ones. */
  times?: number;
}

/** Faults of the system for one service, whose files are below `root`. */
export interface FaultShim {
  /** Variables that the service is started with. */
  env: Record<string, string>;
  /** Path of the log of changes (see power-cut.ts). */
  logPath: string;
  /** Replaces all rules. They hold at once. */
  fail(...rules: FaultRule[]): void;
  /** Counts the calls that met the rule. */
  countHits(rule: number): number;
  /** Bytes of the log so far: the time of an answer, as the disk sees it. */
  readLogBytes(): number;
  /** Moves the time of day by whole seconds; timers go on. */
  moveClock(byMs: number): void;
  close(): void;
}

/** Says why there is no shim on this machine; undefined when there is one. */
export function explainLackOfShim(): string | undefined {
  if (process.platform !== 'linux') return 'the faults are made for Linux';
  return findCompiler() === undefined ? 'there is no C compiler (cc, gcc)' : undefined;
}

/** Makes a shim with its control file in `directory`, outside the root. With `isLogging` it writes down every change. */
export function createFaultShim(root: string, directory: string, { isLogging = false } = {}): FaultShim {
  mkdirSync(directory, { recursive: true });
  const controlPath = join(directory, 'fault-control');
  const logPath = join(directory, 'fault-log');
  const control = openSync(controlPath, 'w+');
  writeSync(control, Buffer.alloc(CONTROL_BYTES), 0, CONTROL_BYTES, 0);
  const readBigInt = (at: number): bigint => {
    const bytes = Buffer.alloc(8);
    readSync(control, bytes, 0, 8, at);
    return bytes.readBigInt64LE();
  };
  return {
    env: {
      LD_PRELOAD: compileShim(),
      FAULT_CONTROL: controlPath,
      FAULT_ROOT: root,
      ...(isLogging ? { FAULT_LOG: logPath } : {}),
      // Calls of io_uring pass by the library.
      UV_USE_IO_URING: '0',
    },
    logPath,
    fail: (...rules) => {
      const bytes = Buffer.alloc(MAX_RULES * RULE_BYTES);
      rules.forEach(({ operations, file, error, after = 0, times = -1 }, index) => {
        const mask = operations.reduce((sum, operation) => sum | OPERATIONS[operation], 0);
        [mask, ERRORS[error], after, times].forEach((value, place) => {
          bytes.writeInt32LE(value, index * RULE_BYTES + place * 4);
        });
        bytes.write(file, index * RULE_BYTES + SUFFIX_AT, RULE_BYTES - SUFFIX_AT - 1, 'utf8');
      });
      writeSync(control, bytes, 0, bytes.length, RULES_AT);
    },
    countHits: (rule) => {
      const bytes = Buffer.alloc(4);
      readSync(control, bytes, 0, 4, RULES_AT + rule * RULE_BYTES + 16);
      return bytes.readInt32LE();
    },
    readLogBytes: () => Number(readBigInt(8)),
    moveClock: (byMs) => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigInt64LE(BigInt(byMs));
      writeSync(control, bytes, 0, 8, 0);
    },
    close: () => closeSync(control),
  };
}

/** Compiles the library once for each version of its source; returns its path. */
function compileShim(): string {
  const digest = createHash('sha256').update(readFileSync(SOURCE)).digest('hex').slice(0, 16);
  const path = join(tmpdir(), `ocr-fault-shim-${digest}.so`);
  if (existsSync(path)) return path;
  const compiler = findCompiler();
  if (compiler === undefined) throw new Error(explainLackOfShim());
  const temporary = `${path}.${process.pid}`;
  execFileSync(compiler, ['-O1', '-shared', '-fPIC', '-o', temporary, SOURCE, '-ldl', '-lpthread']);
  renameSync(temporary, path);
  return path;
}

function findCompiler(): string | undefined {
  return ['cc', 'gcc', 'clang'].find((name) => spawnSync(name, ['--version']).status === 0);
}
