import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type Page, type Request } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { describeUnless } from './describe-unless.js';

/** The system's Chromium: `CHROMIUM_PATH`, else one on PATH; undefined where there is none. Nothing is downloaded. */
const CHROMIUM: string | undefined =
  process.env.CHROMIUM_PATH ?? findOnPath(['chromium', 'chromium-browser', 'google-chrome']);

function findOnPath(names: readonly string[]): string | undefined {
  const directories = (process.env.PATH ?? '').split(delimiter);
  return names
    .flatMap((name) => directories.map((directory) => join(directory, name)))
    .find((path) => existsSync(path));
}

/** Starts Chromium; the caller closes it. As root it runs without its sandbox, which needs a user of its own. */
export async function launchChromium(): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return await chromium.launch({ executablePath: CHROMIUM ?? '', args });
}

const LACK = CHROMIUM === undefined ? 'Chromium is not installed (CHROMIUM_PATH)' : undefined;

/** Runs a suite with a browser of its own, or skips it where there is none; its name says so then. */
export function describeInChromium(suite: (browser: () => Browser) => void): void {
  describeUnless(LACK, 'in Chromium', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchChromium();
    });
    afterAll(async () => await browser.close());
    suite(() => browser);
  });
}

/** Collects what a page should not do: console messages, errors of scripts, dialogs, and calls that are not its own. */
export function collectComplaints(page: Page, isOwn: (request: Request) => boolean): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!isOwn(request)) complaints.push(request.url());
  });
  return complaints;
}
