import { expect, it } from 'vitest';
import { createCountDeaths } from '../../../../src/service/page-counts/count-deaths.js';

const MINUTE_MS = 60_000;
const death = (sha256: string, organisationId: string) => ({ sha256, organisationId, message: `of ${sha256}` });

it('a death → its file is known for an hour, its sender is slowed for ten minutes', () => {
  let nowMs = 1_000;
  const deaths = createCountDeaths(() => nowMs);
  deaths.note(death('f', 'a'));
  expect([deaths.findMessage('f'), deaths.isSlowed('a')]).toEqual(['of f', true]);
  expect([deaths.findMessage('g'), deaths.isSlowed('b')]).toEqual([undefined, false]);
  nowMs += 9 * MINUTE_MS;
  expect(deaths.isSlowed('a')).toBe(true);
  nowMs += 2 * MINUTE_MS;
  expect([deaths.findMessage('f'), deaths.isSlowed('a')]).toEqual(['of f', false]);
  nowMs += 50 * MINUTE_MS;
  expect(deaths.findMessage('f')).toBeUndefined();
});

it('more deaths than are remembered → the oldest are forgotten, and a new death of a file renews it', () => {
  const deaths = createCountDeaths(() => 0, 3);
  for (const name of ['1', '2', '3', '1', '4']) deaths.note(death(name, `of ${name}`));
  expect(['1', '2', '3', '4'].map((name) => deaths.findMessage(name) !== undefined)).toEqual([true, false, true, true]);
  expect(['1', '2', '3', '4'].map((name) => deaths.isSlowed(`of ${name}`))).toEqual([true, false, true, true]);
});
