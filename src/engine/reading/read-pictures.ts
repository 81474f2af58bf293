import { createTurn } from '../model/page-transform.js';
import type { RecognitionPlan } from '../stages/recognise/recogniser.js';
import { keepSureLines } from '../stages/recognise/sure-lines.js';
import type { UnreadPicture } from '../stages/text-layer/unread-pictures.js';
import type { Reading, ReadPage, ReadPicture } from './reading.js';

/** Recognises pictures on a page and returns the page with their print, if any of it is sure. Rejects when a picture fails. */
export async function readPictures(
  { path, mimeType, options, pool, warnings }: Reading,
  page: ReadPage,
  pictures: readonly UnreadPicture[],
  plan: RecognitionPlan,
  onMove: () => void,
): Promise<ReadPage> {
  const { password, maxPixels } = options;
  const task = { path, mimeType, password, page: page.number, plan, maxPixels };
  const toReadPage = placeOnReadPage(page);
  const providers = new Set<string>();
  const found: ReadPicture[] = [];
  const read = await Promise.all(pictures.map((picture) => pool.read({ ...task, picture }, onMove)));
  for (const [index, { content, rotation, provider, warning }] of read.entries()) {
    if (warning !== undefined) warnings.push({ page: page.number, message: `a picture on it: ${warning}` });
    // Print that seems to run in another direction than the page's is mostly a chart that was misread.
    const fragments = rotation === page.rotation ? keepSureLines(content.fragments) : [];
    const picture = pictures[index];
    if (picture === undefined || fragments.length === 0) continue;
    providers.add(provider);
    found.push({ content: { ...content, fragments }, area: toReadPage(picture) });
  }
  return found.length === 0
    ? page
    : { ...page, source: 'mixed', recogniser: [...providers].join('+'), pictures: found };
}

/** Returns what puts an area of the displayed page onto the page as it is read. */
function placeOnReadPage({ content: { width, height }, rotation }: ReadPage) {
  const displayed = rotation % 180 === 0 ? { width, height } : { width: height, height: width };
  return createTurn((360 - rotation) % 360, displayed).fromPage;
}
