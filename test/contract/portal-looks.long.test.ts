import { expect, test } from 'vitest';
import { describePages } from './support/portal-pages.js';
import { operatorPaths, writePathsOf } from './support/portal-paths.js';

const VIEWS = [320, 1280].flatMap((width) => [
  { width, scheme: 'light' as const },
  { width, scheme: 'dark' as const },
]);

describePages('every page', (portal, { open, read }) => {
  test.each(VIEWS)(
    '$width px, $scheme → no fault of accessibility, no sideways scrolling, nothing runs',
    async (view) => {
      const { store, alder } = portal();
      const door = await open(view);
      const faults = await door.examine('/enter');
      const reader = await read({ orgId: alder, role: 'owner', name: 'Ada' }, view);
      for (const path of await writePathsOf(store, alder)) faults.push(...(await reader.examine(path)));
      const operator = await read({ role: 'operator', name: 'Op' }, view);
      for (const path of operatorPaths(alder)) faults.push(...(await operator.examine(path)));
      expect(faults).toEqual([]);
      expect([...operator.complaints, ...door.complaints, ...reader.complaints]).toEqual([]);
      await door.close();
      await reader.close();
      await operator.close();
    },
  );
});
