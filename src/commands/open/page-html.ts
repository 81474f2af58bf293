import { createHash } from 'node:crypto';
import { countOf } from '../../contract/count-of.js';
import type { BlockView, BoxView, CellView, DocumentView, PageView, PieceView, RunView } from './document-view.js';
import { Html, html } from './html.js';
import { PAGE_SCRIPT } from './page-script.js';
import { PAGE_STYLE } from './page-style.js';
import { piecesOf } from './view-result.js';

/** A picture of a page, base64 of WebP. */
export interface PagePicture {
  width: number;
  height: number;
  /** Base64 of WebP. */
  bytes: string;
}

export interface PageContent {
  /** Name of the input. */
  name: string;
  /** Short facts under the name. */
  facts: readonly string[];
  /** Remarks for the reader of the page. */
  notes: readonly string[];
  view: DocumentView;
  pictures: ReadonlyMap<number, PagePicture>;
}

/** Sheet of a page whose size nobody knows: A4. */
const DEFAULT_SIZE = { width: 595, height: 842 };
/** Longest sheet, in widths of it, that is drawn: a result may claim any size. */
const MAX_ASPECT = 20;

/**
 * Renders the page: one file without any address of another, so that it works from file:// and without a network. The policy
 * in it allows its own style and script by their digests, and pictures that are in the file; nothing in a document can add one.
 */
export function renderPage({ name, facts, notes, view, pictures }: PageContent): string {
  const policy = [
    "default-src 'none'",
    'img-src data:',
    `style-src '${digestOf(PAGE_STYLE)}'`,
    `script-src '${digestOf(PAGE_SCRIPT)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const hasBoxes = view.pages.some((page) => page.hasBoxes);
  const page = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${name}</title>
<link rel="icon" href="data:,">
<style>${new Html(PAGE_STYLE)}</style>
</head>
<body>
<a class="skip" href="#pages">Skip to the pages</a>
<header class="bar">
<div class="name"><h1><bdi>${name}</bdi></h1><p>${facts.join(' · ')}</p></div>
${renderTools(view, hasBoxes)}
</header>
<main id="pages" tabindex="-1">
${notes.length === 0 ? undefined : html`<div class="notes" role="note">${notes.map((note) => html`<p>${note}</p>`)}</div>`}
${view.pages.map((one) => renderSection(one, pictures.get(one.number)))}
${view.rest === undefined ? undefined : html`<section class="rest" aria-label="Result"><pre tabindex="0">${view.rest}</pre></section>`}
</main>
<script>${new Html(PAGE_SCRIPT)}</script>
</body>
</html>
`;
  return page.text;
}

function digestOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function renderTools({ pages, unsureCount }: DocumentView, hasBoxes: boolean): Html {
  const links =
    pages.length > 1
      ? html`<nav aria-label="Pages"><span>Pages</span><ol>${pages.map(
          ({ number }) => html`<li><a href="#page-${number}">${number}</a></li>`,
        )}</ol></nav>`
      : undefined;
  const unsure =
    unsureCount > 0
      ? html`<div class="unsure-tools" role="group" aria-label="Unsure words"><span><mark>${countOf(unsureCount, 'unsure word')}</mark></span><button type="button" id="unsure-before" aria-label="Unsure word before">↑</button><button type="button" id="unsure-after" aria-label="Next unsure word">↓</button><span id="unsure-place" role="status"></span></div>`
      : undefined;
  const boxes = hasBoxes
    ? html`<label class="switch"><input type="checkbox" id="show-boxes" checked> Boxes</label>`
    : undefined;
  return html`<div class="tools">${links}${unsure}${boxes}</div>`;
}

const SOURCES: Record<string, string> = {
  'text-layer': 'text layer',
  ocr: 'recognised',
  recognised: 'recognised',
  mixed: 'text layer and recognised',
};

/** Pieces of a page are numbered in the order of its text. */
interface Numbering {
  page: number;
  next: number;
  tables: number;
  /** Level of the last heading in HTML, where none may be left out. */
  heading: number;
}

function renderSection(page: PageView, picture: PagePicture | undefined): Html {
  const { number, source, blocks } = page;
  const numbering = { page: number, next: 0, tables: 0, heading: 2 };
  const text = renderBlocks(blocks, numbering);
  const empty = html`<p class="empty">No text was found on this page.</p>`;
  return html`<section class="page" id="page-${number}" aria-labelledby="name-${number}">
<div class="head"><h2 id="name-${number}">Page ${number}</h2>${
    source === undefined ? undefined : html`<p>${SOURCES[source] ?? source}</p>`
  }</div>
${renderSheet(page, picture)}
<div class="text" role="group" aria-label="Text of page ${number}" lang="">${blocks.length === 0 ? empty : text}</div>
</section>
`;
}

function renderSheet(page: PageView, picture: PagePicture | undefined): Html {
  const { number } = page;
  const { width, height } = picture ?? fitSheet(page.size ?? DEFAULT_SIZE);
  const address =
    picture === undefined
      ? `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='${width}' height='${height}'/%3E`
      : `data:image/webp;base64,${picture.bytes}`;
  const alt = picture === undefined ? `Page ${number}, without its picture` : `Picture of page ${number}`;
  const boxes: Html[] = [];
  const unsure: Html[] = [];
  const words: Html[] = [];
  let index = 0;
  for (const piece of page.blocks.flatMap(piecesOf)) {
    const id = `${number}-${index++}`;
    if (piece.box === undefined) continue;
    boxes.push(html`<rect data-box="${id}" ${place(piece.box)}/>`);
    for (const run of piece.runs) {
      if (run.unsure?.box !== undefined) unsure.push(html`<rect class="unsure" ${place(run.unsure.box)}/>`);
    }
    if (picture === undefined) words.push(renderSheetText(piece, piece.box, height / width));
  }
  for (const block of page.blocks) {
    if (block.kind === 'figure' && block.box !== undefined)
      boxes.push(html`<rect class="figure" ${place(block.box)}/>`);
  }
  const overlay = html`<svg class="boxes" aria-hidden="true" viewBox="0 0 1000 1000" preserveAspectRatio="none">${unsure}${boxes}</svg>`;
  const sheetHeight = Math.round((1000 * height) / width);
  const print =
    words.length === 0
      ? undefined
      : html`<svg class="print" aria-hidden="true" viewBox="0 0 1000 ${sheetHeight}">${words}</svg>`;
  return html`<div class="sheet" role="group" aria-label="Sheet of page ${number}" tabindex="0"><div class="frame${picture === undefined ? ' blank' : ''}"><img src="${new Html(address)}" width="${width}" height="${height}" alt="${alt}" decoding="sync">${print}${overlay}</div></div>`;
}

function fitSheet({ width, height }: { width: number; height: number }): { width: number; height: number } {
  const aspect = Math.min(MAX_ASPECT, Math.max(1 / MAX_ASPECT, height / width));
  return { width: 1100, height: Math.round(1100 * aspect) };
}

function place({ x0, y0, x1, y1 }: BoxView): Html {
  return html`x="${round(x0 * 1000)}" y="${round(y0 * 1000)}" width="${round((x1 - x0) * 1000)}" height="${round((y1 - y0) * 1000)}"`;
}

/** A line of text on a sheet without a picture, as wide as its box. */
function renderSheetText({ runs }: PieceView, box: BoxView, aspect: number): Html {
  const [width, height] = [(box.x1 - box.x0) * 1000, (box.y1 - box.y0) * 1000 * aspect];
  const text = runs.map((run) => run.text).join('');
  const baseline = box.y0 * 1000 * aspect + height * 0.78;
  return html`<text x="${round(box.x0 * 1000)}" y="${round(baseline)}" font-size="${round(Math.min(height * 0.8, 60))}" textLength="${round(width)}" lengthAdjust="spacingAndGlyphs">${text}</text>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Items of a list stand in one list. */
function renderBlocks(blocks: readonly BlockView[], numbering: Numbering): Html[] {
  const rendered: Html[] = [];
  for (let at = 0; at < blocks.length; at++) {
    const items: Html[] = [];
    for (; blocks[at]?.kind === 'list-item'; at++) {
      const lines = piecesOf(blocks[at] as BlockView);
      items.push(html`<li${directionOf(lines)}>${renderLines(lines, numbering)}</li>\n`);
    }
    if (items.length > 0) rendered.push(html`<ul>${items}</ul>\n`);
    const block = blocks[at];
    if (block !== undefined) rendered.push(renderBlock(block, numbering));
  }
  return rendered;
}

function renderBlock(block: BlockView, numbering: Numbering): Html {
  switch (block.kind) {
    case 'heading': {
      // Above it are the name of the document and that of the page.
      numbering.heading = Math.min(6, block.level + 2, numbering.heading + 1);
      const tag = new Html(`h${numbering.heading}`);
      return html`<${tag} class="level-${block.level}"${directionOf(block.lines)}>${renderLines(block.lines, numbering)}</${tag}>\n`;
    }
    case 'table':
      return renderTable(block.rows, numbering);
    case 'figure':
      return html`<p class="figure">Figure</p>\n`;
    case 'plain':
      return html`<pre class="plain">${block.text}</pre>\n`;
    case 'running':
    case 'footnote':
      return html`<p class="${block.kind}"${directionOf(block.lines)}>${renderLines(block.lines, numbering)}</p>\n`;
    default:
      return html`<p${directionOf(piecesOf(block))}>${renderLines(piecesOf(block), numbering)}</p>\n`;
  }
}

function renderTable(rows: readonly CellView[][], numbering: Numbering): Html {
  const body = rows.map((cells) => html`<tr>${cells.map((cell) => renderCell(cell, numbering))}</tr>\n`);
  return html`<div class="table" role="region" aria-label="Table ${++numbering.tables} on page ${numbering.page}" tabindex="0"><table><tbody>${body}</tbody></table></div>\n`;
}

function renderCell(cell: CellView, numbering: Numbering): Html {
  const spans = [
    cell.rowSpan > 1 ? html` rowspan="${cell.rowSpan}"` : undefined,
    cell.columnSpan > 1 ? html` colspan="${cell.columnSpan}"` : undefined,
  ];
  return html`<td${spans}>${renderPiece(cell, numbering)}</td>`;
}

function renderLines(lines: readonly PieceView[], numbering: Numbering): Html[] {
  return lines.map((line, index) => html`${index === 0 ? '' : '\n'}${renderPiece(line, numbering)}`);
}

/** Returns the direction of a text by its first line. */
function directionOf([first]: readonly PieceView[]): Html | undefined {
  return first?.isRightToLeft === true ? html` dir="rtl"` : undefined;
}

function renderPiece(piece: PieceView, numbering: Numbering): Html {
  const index = numbering.next++;
  // One stop of the tabulator for each page; arrow keys go on from there.
  return html`<span class="piece" data-piece="${numbering.page}-${index}" tabindex="${index === 0 ? 0 : -1}"${directionOf([piece])}>${piece.runs.map(renderRun)}</span>`;
}

function renderRun({ text, unsure }: RunView): Html {
  if (unsure === undefined) return html`${text}`;
  return html`<mark title="${Math.round(unsure.confidence * 100)} % sure">${text}</mark>`;
}
