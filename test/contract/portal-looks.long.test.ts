import { expect, test } from 'vitest';
import { describePages } from './support/portal-pages.js';
import { operatorPaths, writePathsOf } from './support/portal-paths.js';

const VIEWS = [320, 1280].flatMap((width) => [
  { width, scheme: 'light' as const },
  { width, scheme: 'dark' as const },
]);
/** Pages that are examined at the same time. */
const READERS = 3;

describePages('every page', (portal, { open, read }) => {
  test('each in both schemes, at 320 and 1,280 px → no fault of accessibility, no sideways scrolling, nothing runs', async () => {
    const { store, alder } = portal();
    const paths = await writePathsOf(store, alder);
    const faults: string[] = [];
    const complaints: string[] = [];
    const examineAll = async (reader: Awaited<ReturnType<typeof open>>, next: () => string | undefined) => {
      for (let path = next(); path !== undefined; path = next()) {
        await reader.go(path);
        for (const { width, scheme } of VIEWS) {
          await reader.look(scheme, width);
          faults.push(...(await reader.examine()).map((fault) => `${scheme}, ${width} px: ${fault}`));
        }
      }
      complaints.push(...reader.complaints);
      await reader.close();
    };
    const door = ['/enter'];
    const ofOperator = operatorPaths(alder);
    await Promise.all([
      examineAll(await open(), () => door.pop()),
      examineAll(await read({ role: 'operator', name: 'Op' }), () => ofOperator.pop()),
      ...Array.from({ length: READERS }, async (_, index) =>
        examineAll(await read({ orgId: alder, role: 'owner', name: `Ada ${index}` }), () => paths.pop()),
      ),
    ]);
    expect(faults).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
