import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CHROMIUM, launchChromium } from '../support/chromium.js';
import { describeUnless } from '../support/describe-unless.js';
import { describePortal } from './support/portal.js';

const LACK = CHROMIUM === undefined ? 'Chromium is not installed (CHROMIUM_PATH)' : undefined;
const WIDTHS = [320, 1280];

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

    test('without script → the code is pasted', async () => {
      const { page, close } = await open({ hasScript: false });
      await page.goto(`${portal().url}/portal/enter`);
      await page.getByLabel('Code').fill(await portal().link({ orgId: portal().alder, role: 'owner', name: 'Ada' }));
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Log out' }).waitFor();
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
      expect([...faults, ...(await faultsOf(page))]).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(complaints).toEqual([]);
      await close();
    });
  });
});
