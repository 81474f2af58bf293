import { expect, test } from 'vitest';
import { createSignature } from '../../dist/contract/signature.js';
import { listEndpoints } from '../../dist/store/webhooks.js';
import { arriveAt, describePages } from './support/portal-pages.js';
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
    await arriveAt(page, 'Webhooks');
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

  test.each([
    { what: 'a right one', expected: 'The signature is right.' },
    {
      what: 'a body with a newline more',
      body: '{"id":1}\n',
      expected: 'It fails: Digest.',
      detail: 'without the white space',
    },
    {
      what: 'another secret',
      secret: 'whsec_other',
      expected: 'It fails: Digest.',
      detail: 'one of the two is another',
    },
    { what: 'an old one', ageS: 400, expected: 'It fails: Age.', detail: 's old' },
    { what: 'one of the future', ageS: -400, expected: 'It fails: Age.', detail: 's in the future' },
    {
      what: 'one without its parts',
      header: 'v1=abc',
      expected: 'It fails: Form, Age, Digest.',
      detail: 'There is no t=',
    },
  ])('the signature check of $what → $expected; nothing is sent', async (line) => {
    const { ageS = 0, body = '{"id":1}', secret = 'whsec_test', detail = 'It is of this body and this secret' } = line;
    const { page, complaints, go, examine, close } = await read(owner());
    await go('/webhooks/check-signature');
    const signed = createSignature(['whsec_test'], Math.floor(Date.now() / 1000) - ageS, Buffer.from('{"id":1}'));
    await page.getByLabel('Body').fill(body);
    await page.getByLabel('X-Service-Signature').fill(line.header ?? signed);
    await page.getByLabel('Signing secret').fill(secret);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await page.getByRole('button', { name: 'Check', exact: true }).press('Enter');
    await page.getByText(line.expected, { exact: true }).waitFor();
    expect(await page.locator('[data-check-verdict]').textContent()).toContain(detail);
    expect(sent).toEqual([]);
    expect(await examine()).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  test('the signature check without script or cryptography → the line for a terminal', async () => {
    const { page, go, close } = await read(owner(), { hasScript: false });
    await go('/webhooks/check-signature');
    await page.getByText('This browser cannot check here').waitFor();
    expect(await page.locator('pre').textContent()).toContain('ocr verify-webhook');
    expect(await page.getByLabel('Signing secret').isVisible()).toBe(false);
    await close();
    const bare = await read(owner());
    await bare.page.addInitScript('delete Crypto.prototype.subtle');
    await bare.go('/webhooks/check-signature');
    await bare.page.getByText('This browser cannot check here').waitFor();
    expect(await bare.page.getByLabel('Signing secret').isVisible()).toBe(false);
    await bare.close();
  });
});
