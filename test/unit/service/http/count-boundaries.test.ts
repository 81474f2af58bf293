import { expect, test } from 'vitest';
import { createBoundaryCounter } from '../../../../src/service/http/count-boundaries.js';

test('a body in chunks of any size → all delimiters counted', () => {
  const body = Buffer.from('--b\r\nX: y\r\n\r\none\r\n--b\r\n\r\n--b inside\r\n--b--\r\n');
  const counts = new Set<number>();
  for (let size = 1; size <= body.length; size++) {
    const counter = createBoundaryCounter('b');
    for (let at = 0; at < body.length; at += size) counter.push(body.subarray(at, at + size));
    counts.add(counter.count);
  }
  expect([...counts]).toEqual([4]);
});
