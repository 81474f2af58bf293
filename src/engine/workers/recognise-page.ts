import { DocumentError } from '../model/document-error.js';
import { areaOf } from '../model/projection.js';
import { turnSheet } from '../model/sheet.js';
import { createRecogniser } from '../stages/recognise/create-recogniser.js';
import { scaleBlocks } from '../stages/recognise/read-best.js';
import { languagesOf, type Recogniser, type RecognitionPlan } from '../stages/recognise/recogniser.js';
import { straighten } from '../stages/recognise/straighten.js';
import { recognisedContent } from '../stages/recognise/to-page-content.js';
import { isLatin } from '../stages/recognise/writing-systems.js';
import { closeOpened } from './open-once.js';
import type { PageTask, RecognisedPage } from './page-task.js';
import { type ReadInPieces, readPieces } from './read-pieces.js';
import type { OnInterimPage } from './serve-pages.js';
import { type Picture, takePicture } from './take-picture.js';

let warm: { key: string; recogniser: Recogniser } | undefined;

/** Draws and recognises one page, in the thread that it is called in, by `deadline` (of `performance.now()`); the recogniser and the open PDF stay for the next page. `onInterim` as in Recogniser. */
export async function recognisePage(
  task: PageTask,
  deadline: number,
  onInterim: OnInterimPage<RecognisedPage>,
): Promise<RecognisedPage> {
  const picture = await takePicture(task);
  const languages = languagesOf(task.plan);
  const keep = (interim: ReadInPieces, movesOn: boolean) => {
    // Its words are still compared with those of the next reading, in pixels.
    if (interim.blocks.length > 0 || !picture.damaged)
      onInterim(toPage(structuredClone(interim), picture, languages), movesOn);
  };
  const recogniser = useRecogniser(task.plan);
  const recognition = await readPieces(recogniser, picture.raster, deadline, keep).catch((error: unknown) => {
    // WebAssembly that trapped, or did not start, is of no use for the next page.
    warm = undefined;
    throw error;
  });
  return toPage(recognition, picture, languages);
}

/** In the page's units, in place. Throws DocumentError where a damaged picture has no words. */
function toPage(
  { blocks, width, height, rotation, provider, ...found }: ReadInPieces,
  picture: Picture,
  languages: readonly string[],
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
  const rules = (found.rules ?? []).map((rule) => ({
    x0: (rule.x0 * page.width) / width,
    x1: (rule.x1 * page.width) / width,
    y0: (rule.y0 * page.height) / height,
    y1: (rule.y1 * page.height) / height,
  }));
  if (picture.damaged && blocks.length === 0)
    throw new DocumentError('damaged', 'the image is damaged: nothing in it can be read');
  const warning = warnOf(picture, found, languages);
  const content = recognisedContent({ ...page, blocks, rules, distortion });
  return { content, rotation, provider, ...(warning === undefined ? {} : { warning }) };
}

/** Share of the photograph: beside a sheet that fills less of it there is room for something else that is written on. */
const LEAST_FILLED = 0.7;

function warnOf(
  { damaged, sheet }: Picture,
  { unread, isUnsure }: Pick<ReadInPieces, 'unread' | 'isUnsure'>,
  languages: readonly string[],
): string | undefined {
  const warnings = [
    ...(damaged ? ['the image is damaged: it was read as far as it goes'] : []),
    ...(unread === undefined ? [] : [unread]),
    ...(isUnsure
      ? [
          `little of it could be read: if it is not in ${languages.join('+')}, name its language (argument "languages", e.g. deu)`,
        ]
      : []),
    ...(sheet === undefined || areaOf(sheet.corners) > LEAST_FILLED
      ? []
      : ['a sheet was photographed: it alone was read, not what lies beside it']),
  ];
  return warnings.length === 0 ? undefined : warnings.join('; ');
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
