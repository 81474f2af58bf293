import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bad, examples } from '../fixtures/manifest.js';
import { describePages } from './support/portal-pages.js';

const TEXT = '/functions/TEXT_EXTRACTION/try';
const LAYOUT = '/functions/LAYOUT_ANALYSIS/try';
const report = examples.report.path;

describePages(
  'Try it',
  (portal, { read }) => {
    const member = () => ({ orgId: portal().alder, role: 'member' as const, name: 'Mo' });

    test.each([320, 1280].flatMap((width) => (['light', 'dark'] as const).map((scheme) => ({ width, scheme }))))(
      '$width px, $scheme → forms, errors and results without a fault of accessibility',
      async (view) => {
        const { page, complaints, examine, close } = await read(member(), view);
        const faults = [...(await examine(LAYOUT)), ...(await examine('/functions/BARCODE_READING/try'))];
        faults.push(...(await examine(TEXT)));
        await page.locator('#field-arg-pages').fill('"><b>');
        await page.getByLabel('Document').setInputFiles(report);
        await page.getByRole('button', { name: 'Run' }).click();
        const summary = page.getByRole('alert');
        await summary.waitFor();
        await expect.poll(() => summary.evaluate((element) => element === document.activeElement)).toBe(true);
        expect(await page.locator('#field-arg-pages').inputValue()).toBe('"><b>');
        faults.push(...(await examine()));
        await page.locator('#field-arg-pages').fill('');
        await page.getByLabel('Document').setInputFiles(bad.damaged.path);
        await page.getByRole('button', { name: 'Run' }).click();
        await page.getByRole('region', { name: 'Refused call' }).waitFor();
        faults.push(...(await examine()));
        const name = `"><script>alert(1)</script>\u202e${'x'.repeat(200)}.pdf`;
        await page
          .getByLabel('Document')
          .setInputFiles({ name, mimeType: 'application/pdf', buffer: readFileSync(report) });
        await page.getByRole('button', { name: 'Run' }).click();
        await page.getByRole('region', { name: 'Result' }).waitFor();
        faults.push(...(await examine()));
        expect(faults).toEqual([]);
        // The browser notes the status of a refused form, and of a refused document.
        expect(complaints.filter((text) => !/status of 4(22|00)/.test(text))).toEqual([]);
        await close();
      },
    );
  },
  { readsDocuments: true },
);
