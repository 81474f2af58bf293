/** Browsers by what only they say; those that pose as another come before it. */
const BROWSERS: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bVersion\/.*Safari\//],
];
const SYSTEMS: ReadonlyArray<readonly [name: string, pattern: RegExp]> = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** Names the browser and system of a header User-Agent: `Firefox on Linux`. Nothing of the header itself is kept. */
export function describeBrowser(userAgent: string | undefined): string | undefined {
  if (userAgent === undefined) return undefined;
  const find = (list: typeof BROWSERS) => list.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  if (browser === undefined || system === undefined) return browser ?? system;
  return `${browser} on ${system}`;
}
