// A process that shares a database with others: it does the operations that it reads, and prints each answer at once.
import { text } from 'node:stream/consumers';
import { listEvents } from '../../../dist/store/events.js';
import { openStore } from '../../../dist/store/postgres/open-store.js';
import { type Operation, perform, type World } from './store-operations.js';

export interface Task {
  url: string;
  world: World;
  operations: Operation[];
  /** Operations at a time. */
  lanes: number;
}

/** A line of its output: an answer, an error, or the events that it followed. */
export type Line =
  | { at: number; answer: Awaited<ReturnType<typeof perform>> }
  | { at: number; error: string }
  | { organisationId: string; numbers: number[] };

const { url, world, operations, lanes } = JSON.parse(await text(process.stdin)) as Task;
const store = await openStore({
  ...{ url, maxConnections: lanes + 2, applicationName: `ocr-test ${process.pid}` },
  // More than a busy machine takes.
  timeoutsMs: { connect: 30_000, statement: 30_000 },
});
const print = (line: Line) => process.stdout.write(`${JSON.stringify(line)}\n`);
let isDone = false;

async function follow(organisationId: string): Promise<void> {
  const numbers: number[] = [];
  for (let isLast = false; !isLast; ) {
    isLast = isDone;
    const { events } = await listEvents(store, organisationId, numbers.at(-1) ?? 0, 1_000);
    numbers.push(...events.map(({ number }) => number));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  print({ organisationId, numbers });
}

const waiting = [...operations];
async function work(): Promise<void> {
  for (let operation = waiting.shift(); operation !== undefined; operation = waiting.shift()) {
    const { at } = operation;
    try {
      print({ at, answer: await perform(store, world, operation) });
    } catch (error) {
      print({ at, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  }
}

const following = world.organisations.map(follow);
await Promise.all(Array.from({ length: lanes }, work));
isDone = true;
await Promise.all(following);
await store.close();
