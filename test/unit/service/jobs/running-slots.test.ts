import { expect, test } from 'vitest';
import { countSlots, type FreeSlots, RunningSlots } from '../../../../src/service/jobs/running-slots.js';
import { ALL_LANES, LANES, type Lane } from '../../../../src/store/lanes.js';

const { brief, text, short, medium, long } = LANES;
const hasRoom = () => true;

/** Describes the free slots in words. */
function describeFree(slots: RunningSlots, room = hasRoom): string[] {
  return slots.listFree(room).map((slot) => (slot.kind === 'lane' ? namesOf(slot).join(' ') : slot.choice));
}

const namesOf = ({ lanes }: FreeSlots) =>
  Object.entries(LANES).flatMap(([name, lane]) => ((lanes & (1 << lane)) === 0 ? [] : [name]));

/** Starts documents, each in the first free slot that takes it; returns those for which there is none. */
function fill(slots: RunningSlots, lanes: readonly Lane[]): Lane[] {
  return lanes.filter((lane) => {
    const slot = slots.listFree(hasRoom).find((free) => free.choice === 'any' && (free.lanes & (1 << lane)) !== 0);
    if (slot !== undefined) slots.take(lane, slot);
    return slot === undefined;
  });
}

test('free workers → all at once, for any documents', () => {
  const slots = new RunningSlots(3);
  fill(slots, [long]);
  const free = { kind: 'worker', choice: 'any', lanes: ALL_LANES, isExtra: false, count: 2 };
  expect(slots.listFree(hasRoom)).toEqual([free]);
});

test.each([
  [[long], ['brief text short medium', 'light']],
  [[medium], ['brief text short', 'light']],
  [[short], ['brief text', 'light']],
  [[text], ['brief', 'light']],
  [[brief], ['light']],
  [
    [long, short],
    ['brief text medium', 'light'],
  ],
  [[long, brief, text, short, medium], ['light']],
] as const)('one worker, documents %j run → free is %j', (lanes, free) => {
  const slots = new RunningSlots(1);
  expect(fill(slots, lanes)).toEqual([]);
  expect(describeFree(slots)).toEqual(free);
});

test('two organisations hold the worker and the reserved slot with long documents → shorter ones still start', () => {
  const slots = new RunningSlots(1);
  const [worker] = slots.listFree(hasRoom);
  slots.take(long, worker as FreeSlots);
  const reserved = slots.listFree(hasRoom).at(-1) as FreeSlots;
  expect(reserved).toMatchObject({ kind: 'worker', choice: 'light', isExtra: true });
  slots.take(long, reserved);
  expect(describeFree(slots)).toEqual(['brief text short medium']);
});

test('a worker that becomes free while lanes are taken → for any document', () => {
  const slots = new RunningSlots(1);
  const worker = slots.take(long, slots.listFree(hasRoom)[0] as FreeSlots);
  fill(slots, [brief, short]);
  slots.free(worker);
  expect(describeFree(slots)).toEqual(['any']);
});

test('no memory for a document beyond the workers → none starts there', () => {
  const slots = new RunningSlots(1);
  expect(describeFree(slots, () => false)).toEqual(['any']);
  fill(slots, [long]);
  expect(describeFree(slots, () => false)).toEqual([]);
});

test.each([1, 2, 4, 16])('%i workers → never more documents than slots', (workers) => {
  const slots = new RunningSlots(workers);
  fill(slots, Array(3 * workers).fill(long));
  for (const lane of Object.values(LANES).reverse()) fill(slots, Array(3 * workers).fill(lane));
  const [reserved] = slots.listFree(hasRoom);
  expect(reserved?.choice).toBe('light');
  slots.take(long, reserved as FreeSlots);
  expect([slots.size, slots.listFree(hasRoom)]).toEqual([countSlots(workers), []]);
});
