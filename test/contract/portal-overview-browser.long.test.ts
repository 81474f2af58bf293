import { beforeAll, expect, test } from 'vitest';
import { describePages } from './support/portal-pages.js';
import { writePathsOf } from './support/portal-paths.js';

describePages('Overview', (portal, { read }) => {
  beforeAll(async () => void (await writePathsOf(portal().store, portal().alder)));
  const member = () => ({ orgId: portal().alder, role: 'member' as const, name: 'Mo' });

  test('by keyboard → another period, its table, an error’s calls', async () => {
    const { page, complaints, go, close } = await read(member());
    await go('/overview');
    await page.getByRole('link', { name: '7 days' }).focus();
    await page.keyboard.press('Enter');
    await page.locator('a[aria-current="page"]', { hasText: '7 days' }).waitFor();
    await page.getByText('Show as table').focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('details[open] tbody tr').count()).toBe(7);
    await page.getByRole('link', { name: 'INVALID_DOCUMENT' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Remove filter Code: INVALID_DOCUMENT' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('without script → the chart has its name, and the table opens', async () => {
    const { page, go, close } = await read(member(), { hasScript: false });
    await go('/overview?period=30d');
    await page.getByRole('img', { name: /^\d+ documents? from / }).waitFor();
    await page.getByText('Show as table').click();
    await page.getByRole('cell', { name: /, so far$/ }).waitFor();
    await close();
  });
});
