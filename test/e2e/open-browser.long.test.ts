import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { collectComplaints, describeInChromium } from '../support/chromium.js';
import { startContractServer } from '../support/contract-server.js';
import { evilLayout, openUnsure, useOpenPages } from '../support/open-pages.js';
import { runInProcess } from '../support/run-in-process.js';

const home = useOpenPages();

/** Opens a page in Chromium and notes what it asks for, says and does. */
async function look(
  browser: Browser,
  path: string,
  options: BrowserContextOptions,
  use: (page: Page) => Promise<void>,
): Promise<string[]> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    const seen = collectComplaints(
      page,
      (request) => /^data:/.test(request.url()) || (/^file:/.test(request.url()) && request.isNavigationRequest()),
    );
    await page.goto(`file://${path}`);
    await use(page);
    return seen;
  } finally {
    await context.close();
  }
}

describeInChromium((browser) => {
  test('the controls of the page in Chromium → unsure words in turn, boxes off, Escape', async () => {
    await openUnsure(home, 'controls.html');
    const seen = await look(
      browser(),
      join(home.dir, 'controls.html'),
      { viewport: { width: 1280, height: 800 } },
      async (page) => {
        const place = () => page.locator('#unsure-place').innerText();
        await page.locator('#unsure-after').click();
        expect(await place()).toBe('1 of 2');
        expect(await page.locator('mark.shown').innerText()).toBe('wrd');
        await page.locator('#unsure-before').click();
        expect(await place()).toBe('2 of 2');
        await page.locator('#unsure-after').click();
        expect(await place()).toBe('1 of 2');

        const line = (id: string) => page.locator(`[data-piece="${id}"]`);
        await line('1-1').focus();
        await page.keyboard.press('ArrowUp');
        expect(await page.locator('.piece.shown').getAttribute('data-piece')).toBe('1-0');
        await page.keyboard.press('Escape');
        expect(await page.locator('.piece.shown').count()).toBe(0);

        const strokeOf = async (selector: string) =>
          await page.locator(selector).evaluate((box) => {
            const { getComputedStyle } = globalThis as unknown as {
              getComputedStyle(box: unknown): { strokeOpacity: string };
            };
            return Number(getComputedStyle(box).strokeOpacity);
          });
        expect(await strokeOf('[data-box="1-1"]')).toBeGreaterThan(0);
        await page.locator('#show-boxes').uncheck();
        expect(await strokeOf('[data-box="1-1"]')).toBe(0);
      },
    );
    expect(seen).toEqual([]);
  });

  test('the hostile page in Chromium → runs nothing and asks for nothing', async () => {
    const server = await startContractServer();
    try {
      server.script.post = [{ body: evilLayout() }];
      await runInProcess(['open', 'report.pdf', '-o', 'evil-2.html'], { home, env: server.env });
    } finally {
      await server.close();
    }
    const seen = await look(browser(), join(home.dir, 'evil-2.html'), {}, async (page) => {
      expect(await page.title()).toBe('report.pdf');
      expect(await page.locator('.text').innerText()).toContain('<script>');
      // Even a script that got into the page would not run.
      await page.evaluate(() => {
        const { document } = globalThis as unknown as {
          document: { body: { insertAdjacentHTML(at: string, text: string): void } };
        };
        document.body.insertAdjacentHTML('beforeend', `<img src="data:," onerror="document.title='owned'">`);
      });
      await page.waitForTimeout(200);
      expect(await page.title()).toBe('report.pdf');
    });
    expect(seen.filter((line) => !/Content Security Policy/.test(line))).toEqual([]);
  });

  test.each([
    ['light', 1280],
    ['dark', 320],
  ] as const)(
    'the page in Chromium, %s, %d pixels → a line shows its box and back, by pointer and keys',
    async (colorScheme, width) => {
      await runInProcess(['open', 'report.pdf', '-o', `${colorScheme}.html`, '--force'], { home });
      const options = { colorScheme, viewport: { width, height: 800 } };
      const seen = await look(browser(), join(home.dir, `${colorScheme}.html`), options, async (page) => {
        const line = (id: string) => page.locator(`[data-piece="${id}"]`);
        const box = (id: string) => page.locator(`[data-box="${id}"]`);
        const shown = async () =>
          await page
            .locator('.shown')
            .evaluateAll((all) => all.map((one) => one.getAttribute('data-piece') ?? one.getAttribute('data-box')));
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
        const ground = String(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
        expect(Number(/\d+/.exec(ground)?.[0]) < 128).toBe(colorScheme === 'dark');
        expect(
          await page
            .locator('.frame img')
            .first()
            .evaluate((image) => (image as { naturalWidth?: number }).naturalWidth),
        ).toBe(1100);

        await line('1-3').hover();
        expect(await shown()).toEqual(['1-3', '1-3']);
        await box('1-1').hover();
        expect(await shown()).toEqual(['1-1', '1-1']);

        await line('1-0').focus();
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowDown');
        expect(await shown()).toEqual(['1-2', '1-2']);
        await page.keyboard.press('End');
        await page.keyboard.press('ArrowRight');
        expect(await shown()).toEqual(['2-0', '2-0']);
        await page.keyboard.press('ArrowLeft');
        await page.keyboard.press('Home');
        expect(await shown()).toEqual(['1-0', '1-0']);
      });
      expect(seen).toEqual([]);
    },
  );

  test('the box of a line → around its print in the picture', async () => {
    await runInProcess(['open', 'report.pdf', '-o', 'boxes.html', '--force'], { home });
    await look(browser(), join(home.dir, 'boxes.html'), { viewport: { width: 1280, height: 900 } }, async (page) => {
      // Dark pixels of the picture: inside the box of the title there are some, in the margin beside it none.
      const [inside, beside] = (await page.evaluate(`(async () => {
      const image = document.querySelector('.frame img');
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: image.naturalWidth, height: image.naturalHeight });
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      const [x, y, w, h] = ['x', 'y', 'width', 'height'].map((name) => Number(document.querySelector('[data-box="1-0"]').getAttribute(name)) / 1000);
      const dark = (left, width) => {
        const { data } = context.getImageData(left * canvas.width, y * canvas.height, width * canvas.width, h * canvas.height);
        let count = 0;
        for (let at = 0; at < data.length; at += 4) if (data[at] < 100) count++;
        return count;
      };
      return [dark(x, w), dark(0, x - 0.005)];
    })()`)) as [number, number];
      expect(inside).toBeGreaterThan(500);
      expect(beside).toBe(0);
    });
  });
});
