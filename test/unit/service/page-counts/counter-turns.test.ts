import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type CounterTurn, CounterTurns } from '../../../../src/service/page-counts/counter-turns.js';

const LONG_MS = 3_600_000;

/** Counters whose turns are written down in their order, by the organisation and its number of the call. */
function setUp(size: number, slowed: readonly string[] = []) {
  const slow = new Set(slowed);
  const turns = new CounterTurns({ size, isSlowed: (id) => slow.has(id) });
  const begun: string[] = [];
  const running = new Map<string, CounterTurn>();
  const call = (name: string) => {
    void turns.take(name.slice(0, 1), LONG_MS).then((turn) => {
      begun.push(name);
      running.set(name, turn as CounterTurn);
    });
  };
  return {
    turns,
    slow,
    begun,
    call: async (...names: string[]) => {
      names.forEach(call);
      await nextTurn();
    },
    end: async (...names: string[]) => {
      for (const name of names) running.get(name)?.end();
      await nextTurn();
    },
  };
}

describe('turns at the counters', () => {
  it('many calls of one organisation → half of the counters, and another organisation starts at once', async () => {
    const { call, begun } = setUp(4);
    await call('a1', 'a2', 'a3', 'a4', 'b1');
    expect(begun).toEqual(['a1', 'a2', 'b1']);
  });

  it('one counter → one call, whoever it is of', async () => {
    const { call, end, begun } = setUp(1);
    await call('a1', 'b1');
    expect(begun).toEqual(['a1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'b1']);
  });

  it('a free counter → to the organisation with the fewest running, then to the call that waits longest', async () => {
    const { call, end, begun } = setUp(4);
    await call('a1', 'a2', 'b1', 'c1');
    await call('b2', 'd1', 'c2', 'e1', 'a3');
    await end('a1');
    expect(begun.at(-1)).toBe('d1');
    await end('d1');
    expect(begun.at(-1)).toBe('e1');
    await end('c1');
    // Now c has none, b one and a one.
    expect(begun.at(-1)).toBe('c2');
    await end('e1');
    expect(begun.at(-1)).toBe('b2');
  });

  it('a slowed organisation → one call at a time, after the others, although it waits longest', async () => {
    const { call, end, begun } = setUp(2, ['s']);
    await call('s1', 's2', 'a1');
    expect(begun).toEqual(['s1', 'a1']);
    await call('a2', 'b1');
    await end('s1');
    expect(begun.at(-1)).toBe('b1');
    await end('a1');
    expect(begun.at(-1)).toBe('a2');
    await end('b1');
    expect(begun.at(-1)).toBe('s2');
  });

  it('many slowed organisations → half of the counters together', async () => {
    const { call, begun } = setUp(4, ['s', 't', 'u']);
    await call('s1', 't1', 'u1', 'a1', 'a2');
    expect(begun).toEqual(['s1', 't1', 'a1', 'a2']);
  });

  it('an organisation that is slowed while its calls wait → one at a time from then on', async () => {
    const { call, end, slow, begun } = setUp(4);
    await call('s1', 's2', 's3', 's4');
    slow.add('s');
    await end('s1');
    expect(begun).toEqual(['s1', 's2']);
    await end('s2');
    expect(begun).toEqual(['s1', 's2', 's3']);
  });

  it('no counter within the time → no turn, and no counter is lost', async () => {
    const { turns, call, end, begun } = setUp(1);
    await call('a1');
    expect(await turns.take('b', 1)).toBeUndefined();
    await end('a1');
    await call('c1');
    expect(begun).toEqual(['a1', 'c1']);
  });
});
