// npm run screenshots: takes the pictures of the portal for README.md and docs/service.md, from a service with sample data
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { createPortalLink } from '../../dist/service/administration/portal-links.js';
import { loadServiceConfig } from '../../dist/service/config/service-config.js';
import { startService } from '../../dist/service/serve.js';
import { openStore } from '../../dist/store/sqlite/open-store.js';
import { launchChromium } from '../../test/support/chromium.js';
import { writeSampleData } from './sample-data.js';

const MAX_BYTES = 100 * 1024;
const root = fileURLToPath(new URL('../..', import.meta.url));
const pictures = join(root, 'docs/pictures');

const dataDir = mkdtempSync(join(tmpdir(), 'ocr-screenshots-'));
const { config } = loadServiceConfig({ flags: { port: 0, dataDir, workers: 1 }, env: {} });
const service = await startService(config, { logLevel: 'silent' });
const store = await openStore(join(dataDir, 'ocr.db'));
const browser = await launchChromium();
try {
  const orgId = await writeSampleData(store);
  const { url: enter } = await createPortalLink(
    { store, config, isDirectoryNamed: true },
    { orgId, role: 'owner', name: 'Ada Hill' },
  );
  const link = new URL(enter);
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  });
  const page = await context.newPage();
  await page.goto(`${service.url}${link.pathname}${link.hash}`);
  await page.getByRole('button').first().click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  mkdirSync(pictures, { recursive: true });
  await take(page, 'portal-overview');
  await tryLayout(page);
  await take(page, 'portal-try-it');
  await page.goto(`${service.url}/portal/request-logs`);
  await take(page, 'portal-request-logs');
} finally {
  await browser.close();
  await store.close();
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Analyses a page of an example, and points at one of its lines. */
async function tryLayout(page: Page): Promise<void> {
  await page.goto(`${service.url}/portal/functions/LAYOUT_ANALYSIS/try`);
  await page.getByLabel('Document').setInputFiles(join(root, 'examples/report.pdf'));
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('region', { name: 'Result' }).waitFor();
  await page.locator('.lines a').nth(2).hover();
}

async function take(page: Page, name: string): Promise<void> {
  await page.waitForLoadState('networkidle');
  const shot = await page.screenshot();
  const file = join(pictures, `${name}.webp`);
  const { size } = await sharp(shot).webp({ quality: 76 }).toFile(file);
  if (size > MAX_BYTES) throw new Error(`${file} has ${size} bytes, more than ${MAX_BYTES}`);
  process.stdout.write(`${file} ${Math.round(size / 1024)} KiB\n`);
}
