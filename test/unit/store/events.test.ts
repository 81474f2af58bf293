import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../../src/store/sqlite/open-store.js';
import { all } from '../../../src/store/unit.js';

test('the place of an unknown event → found by an index', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'ocr-events-'));
  const store = await openStore(join(directory, 'ocr.db'));
  const rows = await store.read(
    all<{ detail: string }>(
      `EXPLAIN QUERY PLAN SELECT number FROM event WHERE organisation_id = 'a' AND id < 'b' ORDER BY id DESC LIMIT 1`,
    ),
  );
  await store.close();
  rmSync(directory, { recursive: true, force: true });
  const plan = rows.map(({ detail }) => detail);
  expect(plan).toEqual([expect.stringMatching(/^SEARCH .* INDEX event_place \(organisation_id=\? AND id<\?\)/)]);
});
