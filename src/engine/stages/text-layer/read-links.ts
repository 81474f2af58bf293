import type { Area } from '../../model/geometry.js';
import type { PageFrame } from '../../pdf-files/pdfium/page-frame.js';
import type { PdfDocument, Pdfium } from '../../pdf-files/pdfium/pdfium.js';

/** The place of a link on the displayed page, in points from its top left. */
export interface LinkArea {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  url: string;
}

const MAX_LINKS = 2000;
const MAX_URL_BYTES = 2048;

/** The annotations of a page that lead out of the document: to the web or to an address of electronic mail. */
export function readLinks({ pdfium, handle }: PdfDocument, page: number, frame: PageFrame): LinkArea[] {
  const links: LinkArea[] = [];
  const scratch = pdfium._malloc(32 + MAX_URL_BYTES);
  pdfium.HEAP32[scratch >> 2] = 0;
  for (let seen = 0; seen < MAX_LINKS; seen++) {
    if (pdfium._FPDFLink_Enumerate(page, scratch, scratch + 4) === 0) break;
    const link = pdfium.HEAP32[(scratch >> 2) + 1] ?? 0;
    const action = pdfium._FPDFLink_GetAction(link);
    if (action === 0) continue;
    const buffer = scratch + 32;
    const length = pdfium._FPDFAction_GetURIPath(handle, action, buffer, MAX_URL_BYTES);
    if (length < 2 || length > MAX_URL_BYTES) continue;
    const url = Buffer.from(pdfium.HEAPU8.subarray(buffer, buffer + length - 1)).toString('utf8');
    if (!/^(https?:\/\/[\p{L}\p{N}._-]+(:\d+)?([/?#]\S*)?|mailto:\S+@\S+)$/iu.test(url)) continue;
    if (pdfium._FPDFLink_GetAnnotRect(link, scratch + 8) === 0) continue;
    const at = (scratch + 8) >> 2;
    const [left = 0, top = 0, right = 0, bottom = 0] = pdfium.HEAPF32.subarray(at, at + 4);
    const area = frame.place(left, top, right, bottom);
    for (const part of readParts(pdfium, link, buffer, frame, area)) links.push({ ...part, url });
  }
  pdfium._free(scratch);
  return links;
}

const MAX_LINK_LINES = 50;

/** The lines of a link that runs over several, where the link tells them; else its area, and also where a line lies outside of it. */
function readParts(pdfium: Pdfium, link: number, buffer: number, frame: PageFrame, area: Area): Area[] {
  const parts: Area[] = [];
  const count = Math.min(pdfium._FPDFLink_CountQuadPoints(link), MAX_LINK_LINES);
  for (let index = 0; index < count; index++) {
    if (pdfium._FPDFLink_GetQuadPoints(link, index, buffer) === 0) continue;
    const corners = pdfium.HEAPF32.subarray(buffer >> 2, (buffer >> 2) + 8);
    const [xs, ys] = [corners.filter((_, at) => at % 2 === 0), corners.filter((_, at) => at % 2 === 1)];
    const part = frame.place(Math.min(...xs), Math.max(...ys), Math.max(...xs), Math.min(...ys));
    const isInside = part.x0 > area.x0 - 1 && part.x1 < area.x1 + 1 && part.y0 > area.y0 - 1 && part.y1 < area.y1 + 1;
    if (!isInside) return [area];
    parts.push(part);
  }
  return parts.length > 0 ? parts : [area];
}
