import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** The system's Chromium: `CHROMIUM_PATH`, else one on PATH; undefined where there is none. Nothing is downloaded. */
export const CHROMIUM: string | undefined =
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
