import { closeSync, mkdirSync, openSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

// The disk that a power cut may leave, made from the log of fault-shim. A write is on disk for certain once a sync of its
// file has succeeded that began after it; without one, any of its blocks may be there or not. A name (creation, rename, link,
// removal) is on disk for certain once its directory was synced; without a sync, the first of them may be there. The blocks of
// a sync that failed are marked as written, so later syncs leave them out.

const RECORD_BYTES = 32;
/** Part of a write that reaches the disk whole or not at all. */
const BLOCK_BYTES = 4096;

const TYPES = [
  '',
  'create',
  'write',
  'truncate',
  'sync-begin',
  'sync-end',
  'rename',
  'link',
  'unlink',
  'mkdir',
  'rmdir',
] as const;

interface LogRecord {
  type: (typeof TYPES)[number];
  path: string;
  data: Buffer;
  hasFailed: boolean;
  inode: number;
  offset: number;
}

type Change = { offset: number; data: Buffer } | { size: number };

/** A file, or a directory, whose changes are its names. */
interface Inode {
  isDirectory: boolean;
  content: Buffer;
  size: number;
  changes: Change[];
  names: NameChange[];
}

interface NameChange {
  path: string;
  /** Undefined for a removal. */
  inode: Inode | undefined;
}

/** Reads a log record by record, as far as it is whole. */
function* readLog(path: string, untilBytes: number): Generator<LogRecord & { endsAt: number }> {
  const file = openSync(path, 'r');
  const read = (bytes: number, at: number): Buffer => {
    const buffer = Buffer.alloc(bytes);
    return buffer.subarray(0, bytes === 0 ? 0 : readSync(file, buffer, 0, bytes, at));
  };
  try {
    const size = Math.min(untilBytes, statSync(path).size);
    for (let at = 0; at + RECORD_BYTES <= size; ) {
      const head = read(RECORD_BYTES, at);
      const [type = 0, pathBytes = 0, dataBytes = 0, status = 0] = [0, 4, 8, 12].map((place) =>
        head.readUInt32LE(place),
      );
      const endsAt = at + RECORD_BYTES + pathBytes + dataBytes;
      if (endsAt > size) return;
      yield {
        type: TYPES[type] ?? '',
        path: read(pathBytes, at + RECORD_BYTES).toString('utf8'),
        data: read(dataBytes, at + RECORD_BYTES + pathBytes),
        hasFailed: status !== 0,
        inode: Number(head.readBigUInt64LE(16)),
        offset: Number(head.readBigUInt64LE(24)),
        endsAt,
      };
      at = endsAt;
    }
  } finally {
    closeSync(file);
  }
}

/** The disk below `root`, which was empty when the log began. */
class Disk {
  readonly #root: string;
  /** The view of programs. */
  readonly #inodes = new Map<number, Inode>();
  readonly #names = new Map<string, Inode>();
  /** The part that is on disk for certain. */
  readonly #kept = new Map<string, Inode>();
  readonly #syncs = new Map<string, { inode: Inode; changes: number; names: number }>();

  constructor(root: string) {
    this.#root = root;
    this.#kept.set(root, this.#create(statSync(root).ino, root, true));
  }

  #create(number: number, path: string, isDirectory: boolean): Inode {
    const inode: Inode = { isDirectory, content: Buffer.alloc(0), size: 0, changes: [], names: [] };
    this.#inodes.set(number, inode);
    this.#names.set(path, inode);
    return inode;
  }

  #inode(number: number): Inode {
    const known = this.#inodes.get(number);
    if (known === undefined) throw new Error(`the log has no creation of inode ${number}`);
    return known;
  }

  #name(path: string, inode: Inode | undefined): void {
    if (inode === undefined) this.#names.delete(path);
    else this.#names.set(path, inode);
    this.#names.get(dirname(path))?.names.push({ path, inode });
  }

  apply(record: LogRecord): void {
    const { path, data } = record;
    switch (record.type) {
      case 'create':
      case 'mkdir':
        this.#name(path, this.#create(record.inode, path, record.type === 'mkdir'));
        break;
      case 'write':
        this.#inode(record.inode).changes.push({ offset: record.offset, data });
        break;
      case 'truncate':
        this.#inode(record.inode).changes.push({ size: record.offset });
        break;
      case 'rename':
      case 'link':
        this.#name(data.toString('utf8'), this.#names.get(path));
        if (record.type === 'rename') this.#name(path, undefined);
        break;
      case 'unlink':
      case 'rmdir':
        this.#name(path, undefined);
        break;
      case 'sync-begin': {
        const inode = this.#inode(record.inode);
        const { changes, names } = inode;
        this.#syncs.set(`${record.inode} ${record.offset}`, { inode, changes: changes.length, names: names.length });
        break;
      }
      case 'sync-end':
        this.#endSync(`${record.inode} ${record.offset}`, record.hasFailed);
    }
  }

  #endSync(key: string, hasFailed: boolean): void {
    const sync = this.#syncs.get(key);
    this.#syncs.delete(key);
    if (sync === undefined) return;
    // Another sync of the file may have ended meanwhile.
    const changes = sync.inode.changes.splice(0, Math.min(sync.changes, sync.inode.changes.length));
    for (const change of changes) if (!hasFailed || Math.random() < 0.5) applyChange(sync.inode, change);
    if (hasFailed) return;
    for (const { path, inode } of sync.inode.names.splice(0, Math.min(sync.names, sync.inode.names.length)))
      keepName(this.#kept, path, inode);
    for (const other of this.#syncs.values())
      if (other.inode === sync.inode) {
        other.changes = Math.max(0, other.changes - sync.changes);
        other.names = Math.max(0, other.names - sync.names);
      }
  }

  /** Writes what a power cut at this moment may leave. */
  writeImage(directory: string): void {
    const kept = new Map(this.#kept);
    for (const inode of this.#names.values()) {
      const count = Math.floor(Math.random() * (inode.names.length + 1));
      for (const { path, inode: named } of inode.names.slice(0, count)) keepName(kept, path, named);
    }
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    // Directories come before what is in them.
    for (const [path, inode] of [...kept].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const target = join(directory, relative(this.#root, path));
      if (inode.isDirectory) mkdirSync(target, { recursive: true, mode: 0o700 });
      else if (kept.has(dirname(path)) && !path.endsWith('-shm'))
        writeFileSync(target, cutContent(inode), { mode: 0o600 });
    }
  }
}

function keepName(names: Map<string, Inode>, path: string, inode: Inode | undefined): void {
  if (inode === undefined) names.delete(path);
  else names.set(path, inode);
}

/** Returns the content with some of the changes that no sync has covered. */
function cutContent(inode: Inode): Buffer {
  const copy: Inode = { ...inode, content: Buffer.from(inode.content) };
  const share = Math.random();
  for (const change of inode.changes) {
    if ('size' in change) {
      if (Math.random() < share) applyChange(copy, change);
      continue;
    }
    for (let from = 0; from < change.data.length; ) {
      const to = Math.min(change.data.length, from + BLOCK_BYTES - ((change.offset + from) % BLOCK_BYTES));
      if (Math.random() < share)
        applyChange(copy, { offset: change.offset + from, data: change.data.subarray(from, to) });
      from = to;
    }
  }
  return copy.content.subarray(0, copy.size);
}

function applyChange(inode: Inode, change: Change): void {
  if ('size' in change) {
    grow(inode, change.size);
    inode.content.fill(0, change.size);
    inode.size = change.size;
    return;
  }
  const end = change.offset + change.data.length;
  grow(inode, end);
  change.data.copy(inode.content, change.offset);
  inode.size = Math.max(inode.size, end);
}

function grow(inode: Inode, size: number): void {
  if (inode.content.length >= size) return;
  const larger = Buffer.alloc(Math.max(size, inode.content.length * 2));
  inode.content.copy(larger);
  inode.content = larger;
}

/** Makes the disks of power cuts at these bytes of the log, in ascending order; `use` gets each in `directory`. */
export async function cutPower(
  logPath: string,
  root: string,
  cuts: readonly number[],
  directory: string,
  use: (cutAt: number) => Promise<void>,
): Promise<void> {
  const disk = new Disk(root);
  const rest = [...cuts];
  for (const record of readLog(logPath, Number.POSITIVE_INFINITY)) {
    while (rest[0] !== undefined && rest[0] < record.endsAt) {
      disk.writeImage(directory);
      await use(rest.shift() ?? 0);
    }
    disk.apply(record);
  }
  for (const cutAt of rest) {
    disk.writeImage(directory);
    await use(cutAt);
  }
}
