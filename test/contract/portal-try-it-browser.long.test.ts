import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { signId } from '../../dist/service/portal/doors/signed-ids.js';
import { createOrganisation } from '../../dist/store/access.js';
import type { Store } from '../../dist/store/store.js';
import { one, run } from '../../dist/store/unit.js';
import { examples } from '../fixtures/manifest.js';
import { arriveAt, describePages } from './support/portal-pages.js';
import { writeJob } from './support/portal-paths.js';

const TEXT = '/functions/TEXT_EXTRACTION/try';
const LAYOUT = '/functions/LAYOUT_ANALYSIS/try';
const report = examples.report.path;

/** Waits for the result that the form leads to. */
async function arrive(page: Page): Promise<void> {
  await page.getByRole('region', { name: 'Result' }).waitFor();
  await arriveAt(page, 'Result');
}

/** Ends a job as its worker does, as far as pages see. */
async function complete(store: Store, jobId: string): Promise<void> {
  const nowMs = Date.now();
  await store.write(function* () {
    yield* run(
      `INSERT INTO result (job_id, body, provider, page_count, duration_ms, created_at)
       VALUES (:jobId, '{"text":"planted text","pages":[]}', 'test', 3, 1, :nowMs)`,
      { jobId, nowMs },
    );
    yield* run(
      `UPDATE job SET status = 'completed', token = NULL, lease_until = NULL, finished_at = :nowMs WHERE id = :jobId`,
      {
        jobId,
        nowMs,
      },
    );
  });
}

describePages(
  'Try it',
  (portal, { open, read }) => {
    const member = () => ({ orgId: portal().alder, role: 'member' as const, name: 'Mo' });

    test('by keyboard → a function, its form, a result; lines and boxes mark each other; views', async () => {
      const { page, complaints, go, examine, close } = await read(member());
      await go('/functions');
      await page.getByRole('link', { name: 'Try it: Layout analysis' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Try layout analysis' }).waitFor();
      await page.getByLabel('Words').focus();
      await page.keyboard.press('Space');
      await page.getByLabel('Document').setInputFiles(report);
      await page.getByRole('button', { name: 'Run and count one document' }).focus();
      await page.keyboard.press('Enter');
      await arrive(page);
      expect(page.url()).toContain('arg-words=false');

      // Boxes move while the picture of the page comes.
      const picture = page.getByRole('img', { name: 'Page 1 of the document' });
      await expect
        .poll(() => picture.evaluate((image) => (image as HTMLImageElement).naturalWidth))
        .toBeGreaterThan(500);
      await page.locator('#line-0').focus();
      await page.keyboard.press('ArrowDown');
      const marked = () => page.locator('[data-marked]').evaluateAll((all) => all.map(({ id }) => id).sort());
      await expect.poll(marked).toEqual(['box-1', 'line-1']);
      await page.locator('#box-3').focus();
      expect(await marked()).toEqual(['box-3', 'line-3']);
      await page.locator('#line-2').hover();
      expect(await marked()).toEqual(['box-2', 'line-2']);
      // A box is hit once it rests: its neighbour is a few pixels away.
      await page.locator('#box-4').hover();
      expect(await marked()).toEqual(['box-4', 'line-4']);
      expect(await page.locator('.lines a[tabindex="0"], .marks a[tabindex="0"]').count()).toBe(2);

      const [boxes, image] = [await page.locator('.marks').boundingBox(), await picture.boundingBox()];
      for (const side of ['x', 'y', 'width', 'height'] as const)
        expect(boxes?.[side]).toBeCloseTo(image?.[side] ?? Number.NaN, 0);

      expect(await examine()).toEqual([]);
      for (const view of ['Tables', 'JSON']) {
        await page.getByRole('link', { name: view, exact: true }).focus();
        await page.keyboard.press('Enter');
        await page.locator(`[aria-current="page"]:text-is("${view}")`).waitFor();
        expect(await examine()).toEqual([]);
      }
      await page.getByRole('link', { name: 'Next page' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('img', { name: 'Page 2 of the document' }).waitFor();
      expect(complaints).toEqual([]);
      await close();
    });

    test('the focus moves while the pointer rests on the list → the focused line stays marked', async () => {
      const { page, go, close } = await read(member());
      await go(LAYOUT);
      await page.getByLabel('Document').setInputFiles(report);
      await page.getByRole('button', { name: 'Run' }).click();
      await arrive(page);
      await page.setViewportSize({ width: 1280, height: 400 });
      const marked = () => page.locator('.lines [data-marked]').evaluateAll((all) => all.map(({ id }) => id));
      await page.locator('#line-2').hover();
      expect(await marked()).toEqual(['line-2']);
      await page.evaluate(`void (globalThis.over = new Promise((resolve) => {
      document.addEventListener('pointerover', () => setTimeout(resolve), { once: true });
    }))`);
      const last = (await page.locator('.lines a').count()) - 1;
      await page.locator(`#line-${last}`).focus();
      // The list has scrolled to it: another line comes to lie under the pointer.
      await page.evaluate('globalThis.over');
      expect(await marked()).toEqual([`line-${last}`]);
      await page.locator('#line-2').hover();
      expect(await marked()).toEqual(['line-2']);
      await close();
    });

    test('without script → a result, its lines lead to their boxes, another page', async () => {
      const { page, go, close } = await read(member(), { hasScript: false });
      await go(LAYOUT);
      await page.getByLabel('Document').setInputFiles(report);
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByRole('region', { name: 'Result' }).waitFor();
      await page.locator('#line-2').click();
      expect(page.url()).toMatch(/#box-2$/);
      await page.getByRole('link', { name: 'Next page' }).click();
      await page.getByRole('img', { name: 'Page 2 of the document' }).waitFor();
      await page.getByRole('link', { name: 'JSON', exact: true }).click();
      await page.getByText('"pages":').waitFor();
      await close();
    });

    test('the button pressed twice → one call', async () => {
      const { store, enter } = portal();
      const orgId = await createOrganisation(store, 'Twice');
      await enter({ orgId, role: 'member', name: 'Mo' });
      const { page, go, close } = await read({ orgId, role: 'member', name: 'Mo' });
      await go(TEXT);
      await page.getByLabel('Document').setInputFiles(report);
      await page.getByRole('button', { name: 'Run' }).dblclick();
      await arrive(page);
      await go('/request-logs');
      expect(await page.locator('tbody tr').count()).toBe(1);
      await close();
    });

    test.each([
      ['with', true],
      ['without', false],
    ])('a job that runs, %s script → the page says so, and shows the result by itself', async (_, hasScript) => {
      const { store, alder, enter } = portal();
      const { cookie } = await enter(member());
      const jobId = await writeJob(store, alder, 'processing');
      const job = await store.read(
        one<{ id: string }>('SELECT request_id AS id FROM job WHERE id = :jobId', { jobId }),
      );
      const token = cookie.split('=')[1] ?? '';
      const path = `${TEXT}/${signId({ token, organisationId: alder, purpose: 'try' }, job?.id ?? '')}`;
      const { page, complaints, go, examine, close } = await open({ hasScript }, cookie);
      await go(path);
      await page.getByRole('heading', { name: 'Page 3 of 3 is being read' }).waitFor();
      if (hasScript) expect(await examine()).toEqual([]);
      await complete(store, jobId);
      await page.getByText('planted text').waitFor();
      expect(complaints).toEqual([]);
      await close();
    });
  },
  { readsDocuments: true },
);
