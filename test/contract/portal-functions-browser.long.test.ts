import { expect, test } from 'vitest';
import { arriveAt, describePages } from './support/portal-pages.js';

describePages('Functions', (portal, { read }) => {
  const member = () => ({ orgId: portal().alder, role: 'member' as const, name: 'Mo' });

  test('by keyboard → a word, a function, its line copied', async () => {
    const { page, complaints, go, close } = await read(member());
    await go('/functions');
    await page.getByLabel('Word').focus();
    await page.keyboard.type('barcodes');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Clear' }).waitFor();
    await page.getByRole('link', { name: 'BARCODE_READING' }).focus();
    await page.keyboard.press('Enter');
    await arriveAt(page, 'Barcode reading');
    await page.getByRole('button', { name: 'Copy the ocr extract line' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('status').textContent()).toMatch(/^Copied/);
    expect(complaints).toEqual([]);
    await close();
  });

  test('without script → a word is found, and cleared', async () => {
    const { page, go, close } = await read(member(), { hasScript: false });
    await go('/functions');
    await page.getByLabel('Word').fill('no such word');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByText('No function matches').waitFor();
    await page.getByRole('link', { name: 'Clear' }).click();
    await page.getByRole('link', { name: 'TEXT_EXTRACTION' }).waitFor();
    await close();
  });
});
