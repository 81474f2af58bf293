import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import type { LinkRequest } from '../../../dist/service/administration/portal-links.js';
import { collectComplaints, describeInChromium } from '../../support/chromium.js';
import { describeOnSqlite, type describePortal, type PortalOptions, type TestPortal } from './portal.js';

interface View {
  scheme?: 'light' | 'dark';
  width?: number;
  hasScript?: boolean;
}

/** Markup that would run, a direction mark, and a link that runs. */
export const HOSTILE = '"><script>alert(1)</script>\u202efdp.exe javascript:alert(1)';

/** Waits for the page with this heading, and for its modules: keys that come before them do nothing. */
export async function arriveAt(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await page.waitForLoadState();
}

/** A browser of its own. */
interface Reader {
  page: Page;
  /** Console messages, errors of scripts, dialogs and calls to other hosts. */
  complaints: string[];
  /** Opens a path below /portal. */
  go(path: string): Promise<void>;
  /** Shows the present page in another scheme and width. */
  look(scheme: 'light' | 'dark', width: number): Promise<void>;
  /** Returns the faults of accessibility of a page, the present one by default, and whether it scrolls sideways. */
  examine(path?: string): Promise<string[]>;
  close(): Promise<void>;
}

export interface Readers {
  /** Opens a browser without a session, or with the one of a cookie. */
  open(view?: View, cookie?: string): Promise<Reader>;
  /** Opens a browser with a session. */
  read(who: LinkRequest, view?: View): Promise<Reader>;
}

/**
 * Runs a suite in Chromium against the portal on SQLite, or on both stores by `describePortal`. The HTML of a page is the same on
 * both: calls of every page run on both without a browser.
 */
export function describePages(
  name: string,
  suite: (portal: () => TestPortal, readers: Readers) => void,
  options: PortalOptions = {},
  describeStores: typeof describePortal = describeOnSqlite,
): void {
  describeInChromium((browser) => {
    describeStores(
      name,
      (portal) => {
        const open = (view?: View, cookie?: string) => openReader(browser(), portal().url, view, cookie);
        suite(portal, { open, read: async (who, view) => open(view, (await portal().enter(who)).cookie) });
      },
      options,
    );
  });
}

async function openReader(
  browser: Browser,
  url: string,
  { scheme = 'light', width = 1280, hasScript = true }: View = {},
  cookie?: string,
): Promise<Reader> {
  const viewport = { width, height: 800 };
  const context = await browser.newContext({ colorScheme: scheme, viewport, javaScriptEnabled: hasScript });
  context.setDefaultTimeout(60_000);
  const [cookieName = '', value = ''] = cookie?.split('=') ?? [];
  if (cookie !== undefined) await context.addCookies([{ name: cookieName, value, url }]);
  const page = await context.newPage();
  const complaints = collectComplaints(page, (request) => request.url().startsWith(url));
  let present = width;
  const go = async (path: string) => {
    await page.goto(`${url}/portal${path}`);
  };
  return {
    page,
    complaints,
    go,
    look: async (colorScheme, newWidth) => {
      present = newWidth;
      // Colours on their way to others would be examined in between.
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width: newWidth, height: 800 });
    },
    examine: async (path) => {
      if (path !== undefined) await go(path);
      // A document that has been examined has axe already, and only faults are told.
      const hasAxe = await page.evaluate(`typeof axe === 'object'`);
      const axe = new AxeBuilder({ page, ...(hasAxe ? { axeSource: ';' } : {}) }).setLegacyMode(true);
      const { violations } = await axe.options({ resultTypes: ['violations'] }).analyze();
      const faults = violations.map(({ id, nodes }) => `${page.url()} ${id}: ${nodes[0]?.html}`);
      const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      return isWide ? [...faults, `${page.url()} scrolls sideways at ${present} px`] : faults;
    },
    close: () => context.close(),
  };
}
