import { expect, test } from 'vitest';
import { createApiKey } from '../../dist/store/access.js';
import { listApiKeys } from '../../dist/store/api-keys.js';
import { describePages, HOSTILE } from './support/portal-pages.js';

describePages('API keys', (portal, { read }) => {
  const owner = () => ({ orgId: portal().alder, role: 'owner' as const, name: 'Ada' });

  test('create by keyboard → the key, once; Done leads to the list', async () => {
    const { page, complaints, go, close } = await read(owner());
    await go('/api-keys');
    await page.getByRole('link', { name: 'Create key' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Name', { exact: true }).focus();
    await page.keyboard.type('by keyboard');
    await page.getByLabel('TEXT_EXTRACTION').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'API key created' }).waitFor();
    const key = (await page.locator('pre').textContent()) ?? '';
    expect(key).toMatch(/^ocr_live_/);
    await page.getByRole('link', { name: 'Done' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'by keyboard', exact: true }).waitFor();
    expect(await page.content()).not.toContain(key);
    expect(complaints).toEqual([]);
    await close();
  });

  test('revoke → a dialog with the focus on Cancel; Escape leaves the key, Revoke ends it', async () => {
    const { store, alder } = portal();
    await createApiKey(store, alder, 'asked');
    const { page, complaints, go, close } = await read(owner());
    await go('/api-keys');
    const revoke = page.getByRole('link', { name: 'Revoke asked' });
    await revoke.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Revoke this key?' });
    await dialog.waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Cancel');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.ariaLabel')).toContain('Revoke asked');
    const stateOf = async () => (await listApiKeys(store, alder)).find(({ name }) => name === 'asked')?.revokedAtMs;
    expect(await stateOf()).toBeNull();
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.locator('tr', { hasText: 'asked' }).getByText('revoked').waitFor();
    expect(await stateOf()).not.toBeNull();
    expect(complaints).toEqual([]);
    await close();
  });

  test('without script → create, roll, revoke and filter by pages', async () => {
    const { page, go, close } = await read(owner(), { hasScript: false });
    await go('/api-keys/new');
    await page.getByLabel('Name', { exact: true }).fill('plain');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Roll plain' }).click();
    await page.getByRole('button', { name: 'Roll' }).click();
    await page.getByRole('heading', { name: 'API key rolled' }).waitFor();
    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Revoke plain' }).first().click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Filter', { exact: true }).click();
    await page.getByLabel('State').selectOption('revoked');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('link', { name: 'Remove filter State: revoked' }).waitFor();
    expect(await page.locator('tbody tr', { hasText: 'plain' }).count()).toBe(1);
    await close();
  });

  test('a form refused, then sent → the focus on the errors; no fault of accessibility in either answer', async () => {
    const reader = await read(owner(), { width: 320, scheme: 'dark' });
    const { page } = reader;
    await reader.go('/api-keys/new');
    await page.getByLabel('Name', { exact: true }).fill(' ');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('alert');
    const faults = await reader.examine();
    await page.getByLabel('Name', { exact: true }).fill(HOSTILE);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'API key created' }).waitFor();
    expect([...faults, ...(await reader.examine())]).toEqual([]);
    await reader.close();
  });
});
