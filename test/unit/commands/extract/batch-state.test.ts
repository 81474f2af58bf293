import { expect, test } from 'vitest';
import { BatchState } from '../../../../src/commands/extract/batch-state.js';
import type { Clock } from '../../../../src/contract/clock.js';
import { OcrError } from '../../../../src/contract/ocr-error.js';
import type { SubmissionRecord } from '../../../../src/ledger/record.js';

const clock: Clock = { now: () => 0, monotonicMs: () => 0, sleep: async () => {} };
const refusal = (status: number, message = 'no') => new OcrError('REFUSED', message, { status });
const noAnswer = () => new OcrError('TIMEOUT', 'no progress');
const systemError = (code: string) => Object.assign(new Error(code), { code });
const recordOf = (id: string) => ({ id }) as SubmissionRecord;

function setUp({ failsFast = false, signal = new AbortController().signal, concurrency = 4 } = {}): BatchState {
  return new BatchState({ clock, signal, concurrency, failsFast });
}

test('a new batch → documents may be sent', async () => {
  const state = setUp();
  expect(state.stopReason).toBeUndefined();
  state.throwIfStopped();
  await state.pace.waitTurn();
});

test('a stopped batch → documents are NOT_SENT with the first reason, and uploads that wait their turn too', async () => {
  const state = setUp();
  const [reason, later] = [refusal(401, 'bad key'), refusal(402)];
  state.stop(reason);
  state.stop(later);
  expect(state.stopReason).toBe(reason);
  const notSent = expect.objectContaining({ code: 'NOT_SENT', message: 'Not sent: bad key', cause: reason });
  expect(() => state.throwIfStopped()).toThrow(notSent);
  await expect(state.pace.waitTurn()).rejects.toEqual(notSent);
});

test.each([true, false])('a reason with retryable %s → its unsent documents are as retryable', (retryable) => {
  const state = setUp();
  state.stop(new OcrError('REFUSED', 'no', { status: 503, retryable }));
  expect(() => state.throwIfStopped()).toThrow(expect.objectContaining({ retryable }));
});

test.each([401, 402, 403])('an answer of %i → the batch stops', (status) => {
  const state = setUp();
  const error = refusal(status);
  expect(state.noteFailure(error)).toEqual({ error, exitCode: 4, isUnsent: false });
  expect(state.stopReason).toBe(error);
});

test.each([400, 404, 413, 415, 422, 429, 500, 503])('an answer of %i → the batch goes on', (status) => {
  const state = setUp();
  for (let i = 0; i < 4; i++) state.noteFailure(refusal(status));
  expect(state.stopReason).toBeUndefined();
});

test('--fail-fast → the batch stops at the first failure, whatever it is', () => {
  const state = setUp({ failsFast: true });
  const error = refusal(422);
  state.noteFailure(error);
  expect(state.stopReason).toBe(error);
});

test('a 429 for a long time → the batch stops, and no upload waits for it', async () => {
  const state = setUp();
  const quota = refusal(429, 'come back tomorrow');
  state.pace.stop(quota);
  expect(state.stopReason).toBe(quota);
  await expect(state.pace.waitTurn()).rejects.toMatchObject({ code: 'NOT_SENT', cause: quota });
});

test('three documents without an answer → the batch stops at the third', () => {
  const state = setUp();
  state.noteFailure(noAnswer());
  state.noteFailure(noAnswer());
  expect(state.stopReason).toBeUndefined();
  const third = noAnswer();
  state.noteFailure(third);
  expect(state.stopReason).toBe(third);
});

test.each<[string, (state: BatchState) => void]>([
  ['an accepted upload', (state) => state.noteAnswer()],
  ['a refused document', (state) => state.noteFailure(refusal(422))],
])('three documents without an answer after %s → the batch goes on', (_, answer) => {
  const state = setUp();
  state.noteFailure(noAnswer());
  answer(state);
  for (let i = 0; i < 5; i++) state.noteFailure(noAnswer());
  expect(state.stopReason).toBeUndefined();
});

test('three failures on this machine’s side → they do not count as missing answers', () => {
  const state = setUp();
  for (let i = 0; i < 3; i++) state.noteFailure(new OcrError('FILE_CHANGED', 'changed'));
  expect(state.stopReason).toBeUndefined();
});

test.each(['STATE_UNWRITABLE', 'DATA_DIR_UNWRITABLE', 'LOCAL_UNAVAILABLE'])('%s → the batch stops', (code) => {
  const state = setUp();
  state.noteFailure(new OcrError(code, 'no'));
  expect(state.stopReason?.code).toBe(code);
});

test.each<[string, boolean]>([
  ['ENOSPC', true],
  ['EDQUOT', true],
  ['EROFS', true],
  ['EACCES', false],
])('an output that fails with %s → the batch stops: %s', (code, stops) => {
  const state = setUp();
  state.noteFailure(new OcrError('OUTPUT_UNWRITABLE', 'cannot write', { cause: systemError(code) }));
  expect(state.stopReason !== undefined).toBe(stops);
});

test.each<[string, OcrError, boolean]>([
  ['a name that no host has', new OcrError('UNREACHABLE', 'no such host', { retryable: false }), true],
  ['a connection that broke', new OcrError('UNREACHABLE', 'reset', { retryable: true }), false],
  ['a redirect', new OcrError('BAD_RESPONSE', 'moved', { status: 302 }), true],
  ['a page in place of an answer', new OcrError('BAD_RESPONSE', 'a page', { status: 200 }), false],
])('%s → the batch stops or not', (_, error, stops) => {
  const state = setUp();
  state.noteFailure(error);
  expect(state.stopReason !== undefined).toBe(stops);
});

test('the end of the command → the batch stops with its reason', () => {
  const command = new AbortController();
  const state = setUp({ signal: command.signal });
  const interrupted = new OcrError('INTERRUPTED', 'Interrupted');
  command.abort(interrupted);
  expect(state.stopReason).toBe(interrupted);
});

test('a failure after the stop that hits every document → NOT_SENT with the exit code of the first', () => {
  const state = setUp();
  const fullDisk = () => new OcrError('STATE_UNWRITABLE', 'disk full');
  state.noteFailure(fullDisk());
  const second = state.noteFailure(fullDisk());
  expect(second).toMatchObject({ exitCode: 2, isUnsent: true, error: { code: 'NOT_SENT' } });
  const other = new OcrError('STATE_UNWRITABLE', 'not a directory');
  expect(state.noteFailure(other)).toEqual({ error: other, exitCode: 2, isUnsent: false });
  const refused = refusal(401);
  expect(state.noteFailure(refused)).toEqual({ error: refused, exitCode: 4, isUnsent: false });
});

test('an unsent document → the exit code of what stopped the batch, and no rule counts it', () => {
  const state = setUp({ failsFast: true });
  const unsent = new OcrError('NOT_SENT', 'Not sent');
  expect(state.noteFailure(unsent)).toEqual({ error: unsent, exitCode: 1, isUnsent: true });
  expect(state.stopReason).toBeUndefined();
  state.stop(refusal(429));
  expect(state.noteFailure(unsent)).toEqual({ error: unsent, exitCode: 6, isUnsent: true });
});

test('documents read out of order → they go on in the order in which they began', async () => {
  const state = setUp();
  let endFirst = (_: string) => {};
  const first = new Promise<string>((resolve) => {
    endFirst = resolve;
  });
  const read: string[] = [];
  const reading = [first, Promise.reject(new Error('unreadable')), Promise.resolve('third')].map(async (document) => {
    read.push(await state.readInOrder(document).catch((error: Error) => error.message));
  });
  await new Promise(setImmediate);
  expect(read).toEqual(['unreadable']);
  endFirst('first');
  await Promise.all(reading);
  expect(read).toEqual(['unreadable', 'first', 'third']);
});

test('equal documents → each upload waits for the one before it, others for none', async () => {
  const state = setUp();
  const first = state.claimUpload('a');
  const second = state.claimUpload('a');
  expect([first.earlier, state.claimUpload('b').earlier]).toEqual([undefined, undefined]);
  const isSettled = async (promise: Promise<void> | undefined) =>
    (await Promise.race([promise?.then(() => true), new Promise(setImmediate)])) === true;
  expect(await isSettled(second.earlier)).toBe(false);
  first.release();
  expect(await isSettled(second.earlier)).toBe(true);
  const third = state.claimUpload('a');
  expect(await isSettled(third.earlier)).toBe(false);
  second.release();
  expect(await isSettled(third.earlier)).toBe(true);
  third.release();
  expect(state.claimUpload('a').earlier).toBeUndefined();
});

test('records left unsent → withdrawn from the ledger; those being sent stay', async () => {
  const state = setUp();
  const [sent, refused, left] = [recordOf('sent'), recordOf('refused by the ledger'), recordOf('left')];
  for (const record of [sent, refused, left]) state.markUnsent(record);
  state.markSending(sent);
  const withdrawn: SubmissionRecord[] = [];
  await state.withdrawUnsent({
    async withdraw(record) {
      withdrawn.push(record);
      if (record === refused) throw new Error('read-only');
    },
  });
  expect(withdrawn).toEqual([refused, left]);
});

test('a concurrency of two → the third document waits for a slot', async () => {
  const state = setUp({ concurrency: 2 });
  const release = await state.slots.acquire();
  await state.slots.acquire();
  const third = state.slots.acquire();
  expect(await Promise.race([third, Promise.resolve('waits')])).toBe('waits');
  release();
  expect(await third).toBeTypeOf('function');
});
