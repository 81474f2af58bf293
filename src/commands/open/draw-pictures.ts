import type { Context } from '../../context.js';
import { busy, type DocumentState } from '../../contract/document-state.js';
import { sniffType } from '../../io/input/sniff-type.js';
import { INSTALL_OPTIONAL, isInstalled } from '../../local/missing-packages.js';
import type { PageView } from './document-view.js';
import type { PagePicture } from './page-html.js';

export interface DrawnPictures {
  pictures: ReadonlyMap<number, PagePicture>;
  /** The reason why pages have no picture. */
  note?: string;
}

/** Draws the pages of a document on this machine, in a process of its own. Whatever fails, the text is still shown. */
export async function drawPictures(
  { signal, output }: Context,
  { path, password }: { path: string; password?: string },
  pages: readonly PageView[],
  onState: (state: DocumentState) => void,
): Promise<DrawnPictures> {
  const type = await sniffType(path);
  const needed = ['sharp', ...(type === 'application/pdf' ? ['@hyzyla/pdfium'] : [])];
  const missing = needed.filter((name) => !isInstalled(name));
  if (missing.length > 0) {
    return without(
      `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not installed: ${INSTALL_OPTIONAL}`,
    );
  }
  if (type === undefined) return without('its type is not known');
  const { drawDocument } = await import('../../service/documents/draw-document.js');
  onState(busy('drawing its pages'));
  const drawn = await drawDocument({
    path,
    mimeType: type,
    ...(password === undefined ? {} : { password }),
    pages: pages.map(({ number, rotation }) => ({ number, rotation })),
    onProgress: (done) => onState(busy(`drawing page ${Math.min(done + 1, pages.length)} of ${pages.length}`)),
    signal,
  });
  if ('reason' in drawn) {
    output.debug(`open: no pictures: ${drawn.reason}`);
    return without(drawn.reason);
  }
  const pictures = new Map(drawn.map(({ page, ...picture }) => [page, picture]));
  const lacking = pages.filter(({ number }) => !pictures.has(number)).map(({ number }) => number);
  return lacking.length === 0
    ? { pictures }
    : { pictures, note: `No picture could be drawn of page ${lacking.join(', ')}` };
}

function without(reason: string): DrawnPictures {
  return { pictures: new Map(), note: `The pages have no pictures: ${reason}` };
}
