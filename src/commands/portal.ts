import type { Context } from '../context.js';
import { OcrError } from '../contract/ocr-error.js';
import { keepPage } from '../io/output/page-file.js';

/**
 * Opens the portal of the service on this machine in the browser, which is started where it does not run. Off a terminal it
 * prints the link. @throws OcrError USAGE with the address of another service, LOCAL_UNAVAILABLE, DATA_DIR_UNWRITABLE
 */
export async function portal(context: Context, _options: object): Promise<void> {
  const { env, flags, io, output, signal, version } = context;
  const { dataDir, cacheDir } = await context.directories();
  const { server } = await context.settings();
  if (server.value.kind === 'remote') await refuseOther(server.value.baseUrl, dataDir);
  const { ensureLocalService } = await import('../local/service-locator.js');
  await ensureLocalService({ dataDir, env, signal, version, note: output.note });
  const { serviceEnvironment } = await import('../local/start-service.js');
  // Only after the start of the service, which says what is missing without its packages.
  const { createOwnPortalLink } = await import('../service/administration/own-portal-link.js');
  const link = await createOwnPortalLink(dataDir, serviceEnvironment(env));
  if (output.isJson) return await output.json(link);
  await output.text(`${link.url}\n`);
  output.note(`Works once, until ${link.expiresAt}.`);
  if (!io.stdout.isTerminal || !flags.input) return;
  const { chooseBrowser, openBrowser } = await import('../io/terminal/browser.js');
  // Every user of this machine sees the words of a command, so the browser gets a private file that leads to the link.
  const page = keepPage(renderRedirect(link.url), {
    cacheDir,
    name: 'portal',
    key: 'portal',
    now: context.clock.now(),
  });
  const command = chooseBrowser(page.path, { platform: process.platform, env });
  const reason = 'reason' in command ? command.reason : await openBrowser(command, env, signal);
  if (reason !== undefined) output.note(`No browser was opened: ${reason}. Open this address in one.`);
}

/** Refuses the address of another service: its links are made in its own data. @throws OcrError USAGE */
async function refuseOther(baseUrl: string, dataDir: string): Promise<void> {
  const { probeService } = await import('../local/probe-service.js');
  const own = (await probeService(dataDir))?.file;
  if (own !== undefined && [own.url, own.publicUrl].includes(baseUrl.replace('//localhost:', '//127.0.0.1:'))) return;
  throw new OcrError('USAGE', `ocr portal opens the service on this machine, which is not at ${baseUrl}`, {
    hint: 'The operator of that service makes a link to its pages: ocr admin portal\nThe pages of this machine: ocr portal --profile local',
  });
}

function renderRedirect(url: string): string {
  return `<!doctype html><meta charset="utf-8"><title>Portal</title><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${url}"><p><a href="${url}">Open the portal</a></p>\n`;
}
