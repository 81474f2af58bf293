import { expect, test } from 'vitest';
import { arriveAt, describePages } from './support/portal-pages.js';
import { writeCalls } from './support/portal-paths.js';

describePages('the door and its calls', (portal, { open, read }) => {
  test('a link in the browser → the code leaves the address; the button opens the session', async () => {
    const { page, complaints, close } = await open();
    const token = await portal().link({ orgId: portal().alder, role: 'owner', name: 'Ada' });
    await page.goto(`${portal().url}/portal/enter#${token}`);
    await expect.poll(() => page.url()).toBe(`${portal().url}/portal/enter`);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Log out' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('without script → the code is pasted, and filters work', async () => {
    const { page, close } = await open({ hasScript: false });
    await page.goto(`${portal().url}/portal/enter`);
    await page.getByLabel('Code').fill(await portal().link({ orgId: portal().alder, role: 'owner', name: 'Ada' }));
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Log out' }).waitFor();
    await page.getByRole('link', { name: 'Request Logs' }).click();
    await page.getByText('Filter', { exact: true }).click();
    await page.getByLabel('Status').fill('5xx');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('No call matches').waitFor();
    await page.getByRole('link', { name: 'Remove filter Status: 5xx' }).click();
    expect(new URL(page.url()).search).toBe('');
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByLabel('Code').waitFor();
    await close();
  });

  test('by keyboard → skip link, filter, a call, its id copied, log out', async () => {
    const { store, alder } = portal();
    const { page, complaints, go, close } = await read({ orgId: alder, role: 'owner', name: 'Ada' });
    await writeCalls(store, alder);
    await go('/request-logs');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await page.locator('summary').focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Status').focus();
    await page.keyboard.type('400');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Remove filter Status: 400' }).waitFor();
    await page.locator('tbody a').first().focus();
    await page.keyboard.press('Enter');
    await arriveAt(page, 'Request');
    await page.getByRole('button', { name: 'Copy request ID' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.getByRole('status').textContent()).toMatch(/^Copied/);
    await page.context().grantPermissions(['clipboard-read']);
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(page.url()).toContain(`/request-logs/${copied}`);
    await page.getByRole('button', { name: 'Log out' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Enter' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('text of twice the size, and widths between a phone and a desk → no list scrolls sideways', async () => {
    const { store, alder } = portal();
    const { page, go, close } = await read({ orgId: alder, role: 'owner', name: 'Ada' });
    await writeCalls(store, alder);
    const wide = `[...document.querySelectorAll('html, .table')].filter((part) => part.scrollWidth > part.clientWidth).length`;
    for (const path of ['/request-logs', '/organisation', '/functions']) {
      await go(path);
      for (const width of [1280, 1060, 900, 640]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await page.evaluate(wide), `${path} at ${width} px`).toBe(0);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.evaluate(`document.documentElement.style.setProperty('font-size', '200%')`);
      expect(await page.evaluate(wide), `${path} at 200 %`).toBe(0);
    }
    await close();
  });

  test('forced colours → the current page and the shapes of states are still told apart', async () => {
    const { store, alder } = portal();
    const { page, go, close } = await read({ orgId: alder, role: 'owner', name: 'Ada' });
    await writeCalls(store, alder);
    await page.emulateMedia({ forcedColors: 'active' });
    await go('/request-logs');
    const current = page.getByRole('link', { name: 'Request Logs' });
    expect(await current.evaluate((link) => getComputedStyle(link).outlineStyle)).toBe('solid');
    const shape = `getComputedStyle(document.querySelector('.badge.good'), '::before').backgroundColor`;
    const ground = `getComputedStyle(document.querySelector('.panel')).backgroundColor`;
    expect(await page.evaluate(shape)).not.toBe(await page.evaluate(ground));
    await close();
  });
});
