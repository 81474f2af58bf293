import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { hashToken } from '../../dist/service/secrets/tokens.js';
import { createApiKey, createOrganisation } from '../../dist/store/access.js';
import { endSession } from '../../dist/store/portal-sessions.js';
import { runCli } from '../support/run-cli.js';
import { createHome } from '../support/temporary-home.js';
import { call, MULTIPART_TYPE, multipart } from './support/http.js';
import { openCaller } from './support/live-stream.js';
import { describePortal, type TestPortal } from './support/portal.js';
import { describePages } from './support/portal-pages.js';
import { writeJob } from './support/portal-paths.js';

const REPORT = readFileSync(fileURLToPath(new URL('../../examples/report.pdf', import.meta.url)));

const createOwner = async ({ store }: TestPortal) => {
  const orgId = await createOrganisation(store, 'Cedar Records');
  return { orgId, who: { orgId, role: 'owner' as const, name: 'Ada' } };
};

describePages(
  'live rows',
  (portal, { read }) => {
    test('the service ends a job → seen without a reload', async () => {
      const { url, store } = portal();
      const { orgId, who } = await createOwner(portal());
      const key = await createApiKey(store, orgId, 'scanner', {});
      const { page, complaints, go, close } = await read(who);
      await go('/job-queues');
      await page.getByText('Live', { exact: true }).waitFor();
      await page.evaluate('window.isSamePage = true');
      const { status } = await call(`${url}/v1/ocr/TEXT_EXTRACTION`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': MULTIPART_TYPE, prefer: 'respond-async' },
        body: multipart([{ name: 'file', filename: 'report.pdf', content: REPORT }]),
      });
      expect(status).toBeLessThan(300);
      await page.locator('tbody .badge', { hasText: 'completed' }).waitFor();
      expect(await page.evaluate('window.isSamePage')).toBe(true);
      expect(complaints).toEqual([]);
      await close();
    });

    test('another process ends a job → seen without a reload', async () => {
      const { dataDir, databaseUrl, store } = portal();
      const { orgId, who } = await createOwner(portal());
      const jobId = await writeJob(store, orgId, 'processing');
      const { page, complaints, go, close } = await read(who);
      await go('/job-queues');
      await page.getByText('Live', { exact: true }).waitFor();
      await page.evaluate('window.isSamePage = true');
      const home = createHome();
      const env = { OCR_SERVE_DATA_DIR: dataDir, ...(databaseUrl && { OCR_SERVE_DATABASE_URL: databaseUrl }) };
      await runCli(['admin', 'jobs', 'cancel', jobId], { home, env });
      await page.locator(`[id="${jobId}"] .badge`, { hasText: 'failed' }).waitFor();
      expect(await page.evaluate('window.isSamePage')).toBe(true);
      expect(complaints).toEqual([]);
      home.remove();
      await close();
    });
  },
  {},
  describePortal,
);

// The rest is the browser's. Its tests wait for times most of the while, so they run side by side.
describePages('live pages', (portal, { read }) => {
  /** Opens the log of a new organisation that has made one call. */
  const openLog = async () => {
    const { url, store } = portal();
    const owner = await createOwner(portal());
    const callOnce = await openCaller(url, store, owner.orgId);
    await callOnce();
    const reader = await read(owner.who);
    await reader.go('/request-logs');
    return { ...reader, ...owner, callOnce };
  };

  test.concurrent('new calls → a button says how many; focus, what was typed and open filters stay; then they come', async ({
    expect,
  }) => {
    const { page, complaints, examine, close, callOnce } = await openLog();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.locator('summary').click();
    await page.getByLabel('Request ID', { exact: true }).fill('req_half');
    const link = page.locator('tbody a').first();
    await link.focus();
    const focused = await link.getAttribute('href');
    await page.evaluate(`getSelection().selectAllChildren(document.querySelector('h1'))`);
    for (let i = 0; i < 3; i++) await callOnce();
    const button = page.getByRole('button', { name: '3 new calls' });
    await button.waitFor();
    expect(await page.getByRole('status').last().textContent()).toMatch(/^\d new calls?$/);
    expect(await page.locator('tbody tr').count()).toBe(1);
    expect(await page.evaluate('document.activeElement.getAttribute("href")')).toBe(focused);
    expect(await page.evaluate('getSelection().toString()')).toBe('Request Logs');
    expect(await page.getByLabel('Request ID', { exact: true }).inputValue()).toBe('req_half');
    expect(await page.locator('details').getAttribute('open')).not.toBeNull();
    expect(await examine()).toEqual([]);
    await button.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(4);
    expect(await button.count()).toBe(0);
    expect(await page.evaluate('document.activeElement.hasAttribute("data-arrivals")')).toBe(true);
    expect(complaints).toEqual([]);
    await close();
  });

  test.concurrent('seven tabs of one session → all load; those without a stream look by themselves', async ({
    expect,
  }) => {
    const { url } = portal();
    const { page, complaints, close, callOnce } = await openLog();
    const tabs = [page];
    while (tabs.length < 7) {
      const tab = await page.context().newPage();
      tab.on('console', (message) => complaints.push(message.text()));
      await tab.goto(`${url}/portal/request-logs`);
      tabs.push(tab);
    }
    const states = await Promise.all(
      tabs.map(async (tab) => {
        await expect.poll(() => tab.locator('[data-live-state]').textContent()).not.toBe('');
        return await tab.locator('[data-live-state]').textContent();
      }),
    );
    expect(states.filter((state) => state === 'Live')).toHaveLength(4);
    await callOnce();
    await Promise.all(tabs.map((tab) => tab.getByRole('button', { name: '1 new call' }).waitFor()));
    expect(complaints).toEqual([]);
    await close();
  });

  test.concurrent('a tab that nobody can see → its stream is closed; seen again → it catches up', async () => {
    const { page, close, callOnce } = await openLog();
    await page.getByText('Live', { exact: true }).waitFor();
    const closed = page.waitForEvent('requestfailed', (request) => request.url().includes('/portal/live'));
    const show = (isHidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await show(true);
    await closed;
    await callOnce();
    await show(false);
    await page.getByRole('button', { name: '1 new call' }).waitFor();
    await close();
  });

  test.concurrent.for([
    { reducedMotion: 'reduce' as const, animations: 0 },
    { reducedMotion: 'no-preference' as const, animations: 1 },
  ])(
    'a state that changes, with motion: $reducedMotion → $animations animations',
    async ({ reducedMotion, animations }, { expect }) => {
      const { url, store } = portal();
      const { orgId, who } = await createOwner(portal());
      const jobId = await writeJob(store, orgId, 'processing');
      const { page, go, close } = await read(who);
      await page.emulateMedia({ reducedMotion });
      await page.addInitScript(
        `addEventListener('animationstart', () => { window.started = (window.started ?? 0) + 1 })`,
      );
      await go('/job-queues');
      await page.getByText('Live', { exact: true }).waitFor();
      const status = await cancel(url, store, orgId, jobId);
      expect(status).toBeLessThan(300);
      await page.locator(`[id="${jobId}"] .badge`, { hasText: 'failed' }).waitFor();
      await expect.poll(() => page.evaluate('document.querySelector("[data-changed]") === null')).toBe(true);
      expect(await page.evaluate('window.started ?? 0')).toBe(animations);
      await close();
    },
  );

  test.concurrent('a session that was ended → the page says so, and stays', async ({ expect }) => {
    const { store } = portal();
    const { page, complaints, close, callOnce } = await openLog();
    await page.getByText('Live', { exact: true }).waitFor();
    const [cookie] = await page.context().cookies();
    await endSession(store, hashToken(cookie?.value ?? ''));
    await callOnce();
    await page.getByText('Your session has ended').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
    expect(complaints).toEqual([]);
    await close();
  });
});

/** Cancels a job by a call of its organisation. */
async function cancel(url: string, store: Parameters<typeof createApiKey>[0], orgId: string, jobId: string) {
  const key = await createApiKey(store, orgId, 'canceller', {});
  const { status } = await call(`${url}/v1/ocr/jobs/${jobId}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${key}` },
  });
  return status;
}
