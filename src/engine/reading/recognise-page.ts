import { DocumentError } from '../model/document-error.js';
import type { Area } from '../model/geometry.js';
import { areaOf } from '../model/projection.js';
import { turnSheet } from '../model/sheet.js';
import { createRecogniser } from '../stages/recognise/create-recogniser.js';
import type { Handwriting } from '../stages/recognise/handwriting/leave-out-handwriting.js';
import { scaleBlocks } from '../stages/recognise/read-best.js';
import { languagesOf, type Recogniser, type RecognitionPlan } from '../stages/recognise/recogniser.js';
import { straighten } from '../stages/recognise/straighten.js';
import { recognisedContent } from '../stages/recognise/to-page-content.js';
import { isLatin } from '../stages/recognise/writing-systems.js';
import { closeOpened } from '../workers/open-once.js';
import type { OnInterimPage } from '../workers/serve-pages.js';
import type { PageTask, RecognisedPage } from './page-task.js';
import { type ReadInPieces, readPieces } from './read-pieces.js';
import { type Picture, takePicture } from './take-picture.js';

/** The recogniser of this thread, with the plan that it was created for. */
let warm: { key: string; recogniser: Recogniser } | undefined;

/** Draws and recognises a page in this thread, by `deadline` (in time of `performance.now()`). The recogniser and the open PDF are kept for the next page. `onInterim` as in Recogniser. */
export async function recognisePage(
  task: PageTask,
  deadline: number,
  onInterim: OnInterimPage<RecognisedPage>,
): Promise<RecognisedPage> {
  const picture = await takePicture(task);
  // Warnings are about pages: a picture that has little to read is none.
  const languages = task.picture === undefined ? languagesOf(task.plan) : undefined;
  const keep = (interim: ReadInPieces, movesOn: boolean) => {
    // A copy is scaled: the recogniser still compares these words with the next reading, in pixels.
    if (interim.blocks.length > 0 || !picture.damaged)
      onInterim(toPage(structuredClone(interim), picture, languages), movesOn);
  };
  const recogniser = useRecogniser(task.plan);
  const recognition = await readPieces(recogniser, picture.raster, deadline, keep).catch((error: unknown) => {
    // WebAssembly that trapped, or did not start, cannot read the next page.
    warm = undefined;
    throw error;
  });
  return toPage(recognition, picture, languages);
}

/** Converts a recognition to the page's units, in place. `languages`: named in warnings; without them there are none. Throws DocumentError for a damaged picture without words. */
function toPage(
  { blocks, width, height, rotation, provider, ...found }: ReadInPieces,
  picture: Picture,
  languages: readonly string[] | undefined,
): RecognisedPage {
  const sideways = rotation % 180 !== 0;
  const page = {
    width: sideways ? picture.height : picture.width,
    height: sideways ? picture.width : picture.height,
  };
  const distortion = {
    ...(found.skew === undefined ? {} : { skew: found.skew }),
    ...(found.bend === undefined ? {} : { bend: found.bend }),
    ...(picture.sheet === undefined ? {} : { sheet: turnSheet(picture.sheet, rotation) }),
  };
  scaleBlocks(blocks, page.width / width, page.height / height);
  const toUnits = ({ x0, y0, x1, y1 }: Area): Area => ({
    x0: (x0 * page.width) / width,
    x1: (x1 * page.width) / width,
    y0: (y0 * page.height) / height,
    y1: (y1 * page.height) / height,
  });
  if (picture.damaged && blocks.length === 0)
    throw new DocumentError('damaged', 'the image is damaged: nothing in it can be read');
  const warning = languages === undefined ? undefined : warnOf(picture, found, languages);
  const drawn = { rules: (found.rules ?? []).map(toUnits), shades: (found.shades ?? []).map(toUnits) };
  const content = recognisedContent({ ...page, ...drawn, blocks, distortion });
  return { content, rotation, provider, ...(warning === undefined ? {} : { warning }) };
}

/** Share of the photograph that a sheet fills. Beside a smaller one there is room for another sheet, which was not read. */
const MIN_SHEET_SHARE = 0.7;

function warnOf(
  { damaged, sheet }: Picture,
  { unread, isUnsure, handwriting }: Pick<ReadInPieces, 'unread' | 'isUnsure' | 'handwriting'>,
  languages: readonly string[],
): string | undefined {
  const warnings = [
    ...(damaged ? ['the image is damaged: it was read as far as it goes'] : []),
    ...(unread === undefined ? [] : [unread]),
    ...(handwriting === undefined ? [] : [describeHandwriting(handwriting, languages)]),
    ...(isUnsure && handwriting === undefined
      ? [
          `little of it could be read: handwriting is not read, and print in another language than ${languages.join('+')} only if it is named (argument "languages", e.g. deu)`,
        ]
      : []),
    ...(sheet === undefined || areaOf(sheet.corners) > MIN_SHEET_SHARE
      ? []
      : ['only the photographed sheet was read, not what lies beside it']),
  ];
  return warnings.length === 0 ? undefined : warnings.join('; ');
}

function describeHandwriting({ words, isMost }: Handwriting, languages: readonly string[]): string {
  // Arabic and Devanagari join their letters, as a pen does.
  if (isMost)
    return `it looks handwritten, and handwriting is not read: only what looks printed is in the text; print in another language than ${languages.join('+')} is read if it is named (argument "languages", e.g. deu)`;
  const were = words === 1 ? 'word that looks handwritten was' : 'words that look handwritten were';
  return `handwriting is not read: ${words} ${were} left out`;
}

/** Closes the document that is open in this thread, and prepares for the next one. */
export function releaseDocument(): void {
  closeOpened();
  warm?.recogniser.prepare();
}

function useRecogniser(plan: RecognitionPlan): Recogniser {
  const key = JSON.stringify(plan);
  if (warm?.key !== key) warm = { key, recogniser: straighten(createRecogniser(plan), isLatin(languagesOf(plan))) };
  return warm.recogniser;
}
