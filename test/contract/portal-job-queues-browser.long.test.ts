import { expect, test } from 'vitest';
import { describePages } from './support/portal-pages.js';
import { writeJob } from './support/portal-paths.js';

describePages('job queues', (portal, { read }) => {
  test.each([true, false])('with script: %s → filter, open a job, show its result', async (hasScript) => {
    const { store, alder } = portal();
    await writeJob(store, alder, 'completed');
    await writeJob(store, alder, 'failed');
    const who = { orgId: alder, role: 'owner' as const, name: 'Ada' };
    const reader = await read(who, { hasScript, width: 320, scheme: 'dark' });
    const { page } = reader;
    await reader.go('/job-queues');
    await page.locator('summary').focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('State').selectOption('completed');
    await page.getByRole('button', { name: 'Apply' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Remove filter State: completed' }).waitFor();
    const faults = hasScript ? await reader.examine() : [];
    await page.locator('tbody a').first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Show the result' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('planted text').waitFor();
    if (hasScript) faults.push(...(await reader.examine()));
    expect(faults).toEqual([]);
    expect(reader.complaints).toEqual([]);
    await reader.close();
  });
});
