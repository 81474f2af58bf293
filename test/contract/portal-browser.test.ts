import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeRequest } from '../../dist/store/requests.js';
import { CHROMIUM, launchChromium } from '../support/chromium.js';
import { describeUnless } from '../support/describe-unless.js';
import { makeRequestEntry } from './support/make-request-entry.js';
import { describePortal } from './support/portal.js';

const LACK = CHROMIUM === undefined ? 'Chromium is not installed (CHROMIUM_PATH)' : undefined;
const WIDTHS = [320, 1280];
/** Markup that would run, a direction mark, and a link that runs. */
const HOSTILE = '"><script>alert(1)</script>\u202efdp.exe javascript:alert(1)';

describeUnless(LACK, 'in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => await browser.close());

  describePortal('pages', (portal) => {
    /** Opens a page; `complaints` are console messages, and calls to other hosts. */
    const open = async (options: { scheme?: 'light' | 'dark'; width?: number; hasScript?: boolean } = {}) => {
      const { scheme = 'light', width = 1280, hasScript = true } = options;
      const viewport = { width, height: 800 };
      const context = await browser.newContext({ colorScheme: scheme, viewport, javaScriptEnabled: hasScript });
      context.setDefaultTimeout(10_000);
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('dialog', (dialog) => {
        complaints.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on('request', (request) => {
        if (!request.url().startsWith(portal().url)) complaints.push(request.url());
      });
      return { page, complaints, close: () => context.close() };
    };
    const enter = async (page: Page, role: 'owner' | 'member' = 'owner') => {
      await page.goto(
        `${portal().url}/portal/enter#${await portal().link({ orgId: portal().alder, role, name: 'Ada' })}`,
      );
      await page.getByRole('button', { name: 'Enter' }).click();
      await page.getByRole('heading', { level: 1, name: 'Request Logs' }).waitFor();
    };
    /** Addresses of each page in each of its states. A new page has its lines here. */
    const pathsOf = async (): Promise<string[]> => {
      const { store, alder } = portal();
      const hostile = {
        status: 400,
        errorCode: 'INVALID_DOCUMENT',
        errorMessage: HOSTILE,
        fileName: HOSTILE + 'x'.repeat(10_000),
      };
      const calls = [makeRequestEntry(alder, Date.now()), makeRequestEntry(alder, Date.now(), hostile)];
      await store.write(function* () {
        for (const call of calls) yield* writeRequest(call);
      });
      return [
        '/request-logs',
        '/request-logs?status=4xx&function=TEXT_EXTRACTION',
        '/request-logs?status=oops',
        '/request-logs?status=599',
        ...calls.map(({ id }) => `/request-logs/${id}`),
      ];
    };
    const faultsOf = async (page: Page) =>
      (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);

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
      const { page, complaints, close } = await open();
      await enter(page);
      await pathsOf();
      await page.reload();
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
      await page.getByRole('heading', { level: 1, name: 'Request' }).waitFor();
      await page.getByRole('button', { name: 'Copy request ID' }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => page.getByRole('status').textContent()).toMatch(/^Copied/);
      await page.getByRole('button', { name: 'Log out' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Enter' }).waitFor();
      expect(complaints).toEqual([]);
      await close();
    });

    test.each(
      WIDTHS.flatMap((width) => [
        { width, scheme: 'light' as const },
        { width, scheme: 'dark' as const },
      ]),
    )('$width px, $scheme → no fault of accessibility, no sideways scrolling', async ({ width, scheme }) => {
      const { page, complaints, close } = await open({ width, scheme });
      await page.goto(`${portal().url}/portal/enter`);
      const faults = await faultsOf(page);
      await enter(page);
      for (const path of await pathsOf()) {
        await page.goto(`${portal().url}/portal${path}`);
        faults.push(...(await faultsOf(page)).map((fault) => `${path} ${fault}`));
        expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(width);
      }
      expect(faults).toEqual([]);
      expect(complaints).toEqual([]);
      await close();
    });
  });
});
