import { expect, test } from 'vitest';
import { listEndpoints } from '../../dist/store/webhooks.js';
import { describePages } from './support/portal-pages.js';
import { writeDelivery, writeEndpoint } from './support/portal-paths.js';

describePages('webhooks', (portal, { read }) => {
  const owner = () => ({ orgId: portal().alder, role: 'owner' as const, name: 'Ada' });

  test('rotate and remove by keyboard → dialogs with the focus on Cancel; the secret once', async () => {
    const { store, alder } = portal();
    const id = await writeEndpoint(store, alder, 'https://one.example/hook');
    const { page, complaints, go, examine, close } = await read(owner(), { width: 320, scheme: 'dark' });
    await go('/webhooks');
    await page.getByRole('link', { name: 'Rotate the secret of https://one.example/hook' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Rotate this secret?' }).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Cancel');
    const faults = await examine();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Secret rotated' }).waitFor();
    expect(await page.locator('pre').textContent()).toMatch(/^whsec_/);
    expect([...faults, ...(await examine())]).toEqual([]);
    await page.getByRole('link', { name: 'Done' }).click();
    await page.getByRole('link', { name: 'Remove https://one.example/hook' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Remove this endpoint?' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator(`[id="${id}"]`).waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
    expect((await listEndpoints(store, alder)).map((endpoint) => endpoint.id)).not.toContain(id);
    expect(complaints).toEqual([]);
    await close();
  });

  test('without script → test-send, resend all dead, filter by pages', async () => {
    const { store, alder } = portal();
    const id = await writeEndpoint(store, alder, 'https://127.0.0.1/two');
    await writeDelivery(store, alder, id, 'dead');
    const { page, go, close } = await read(owner(), { hasScript: false });
    await go('/webhooks');
    await page.getByRole('button', { name: 'Test https://127.0.0.1/two' }).click();
    await page.getByRole('heading', { level: 1, name: 'Delivery' }).waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).first().click();
    await page.getByRole('link', { name: 'Resend all dead' }).click();
    await page.getByRole('link', { name: '7 days' }).click();
    await page.getByRole('button', { name: 'Resend' }).click();
    await page.getByText('Filter', { exact: true }).click();
    await page.getByLabel('Event').selectOption('document.failed');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('No delivery matches').waitFor();
    await close();
  });
});
