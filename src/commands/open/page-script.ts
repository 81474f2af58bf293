/** The script of a page: a line that is pointed at or has the focus shows its box, and back. The page is whole without it. */
export const PAGE_SCRIPT = `
'use strict';
(() => {
  const pieces = [...document.querySelectorAll('[data-piece]')];
  const boxes = new Map([...document.querySelectorAll('[data-box]')].map((box) => [box.dataset.box, box]));
  const pieceOf = new Map(pieces.map((piece) => [piece.dataset.piece, piece]));
  let shown;

  const show = (id, from) => {
    if (id === shown) return;
    for (const one of [pieceOf.get(shown), boxes.get(shown)]) one?.classList.remove('shown');
    shown = id;
    for (const one of [pieceOf.get(id), boxes.get(id)]) one?.classList.add('shown');
    if (from === 'text') bringIntoSheet(boxes.get(id));
  };

  /* Scrolls the sheet, never the page: the text stays under the pointer. */
  const bringIntoSheet = (box) => {
    const sheet = box?.closest('.sheet');
    if (!sheet || sheet.scrollHeight <= sheet.clientHeight + 1) return;
    const [inner, outer] = [box.getBoundingClientRect(), sheet.getBoundingClientRect()];
    if (inner.top >= outer.top + 8 && inner.bottom <= outer.bottom - 8) return;
    sheet.scrollTop += inner.top - outer.top - (outer.height - inner.height) / 2;
  };

  const idAt = (target) => {
    const found = target instanceof Element ? target.closest('[data-piece], [data-box]') : null;
    return found?.dataset.piece ?? found?.dataset.box;
  };
  const focused = () => document.activeElement?.dataset?.piece;

  /* Moves alone count: what scrolls below a pointer at rest was not pointed at. */
  document.addEventListener('pointermove', (event) => {
    const id = idAt(event.target);
    show(id ?? focused(), event.target.closest?.('.text') ? 'text' : 'sheet');
  });
  document.documentElement.addEventListener('pointerleave', () => show(focused()));
  document.addEventListener('focusin', (event) => {
    const id = event.target.dataset?.piece;
    if (id === undefined) return;
    for (const piece of event.target.closest('.text').querySelectorAll('[data-piece][tabindex="0"]')) piece.tabIndex = -1;
    event.target.tabIndex = 0;
    show(id, 'text');
  });
  document.addEventListener('focusout', () => show(undefined));
  document.addEventListener('click', (event) => {
    const box = event.target instanceof Element ? event.target.closest('[data-box]') : null;
    const piece = pieceOf.get(box?.dataset.box);
    piece?.focus({ preventScroll: true });
    piece?.scrollIntoView({ block: 'nearest' });
  });

  const go = (piece, event) => {
    if (!piece) return;
    event?.preventDefault();
    piece.focus();
  };
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const at = pieces.indexOf(document.activeElement);
    if (at < 0) return;
    const onPage = [...pieces[at].closest('.text').querySelectorAll('[data-piece]')];
    if (event.key === 'ArrowDown' || event.key === 'ArrowRight') go(pieces[at + 1], event);
    else if (event.key === 'ArrowUp' || event.key === 'ArrowLeft') go(pieces[at - 1], event);
    else if (event.key === 'Home') go(onPage[0], event);
    else if (event.key === 'End') go(onPage.at(-1), event);
    else if (event.key === 'Escape') document.activeElement.blur();
  });

  /* A sheet that shows all of its picture is no stop of the tabulator. */
  const sheets = [...document.querySelectorAll('.sheet')];
  const stopAtScrollable = () => {
    for (const sheet of sheets) sheet.tabIndex = sheet.scrollHeight > sheet.clientHeight + 1 ? 0 : -1;
  };
  addEventListener('resize', stopAtScrollable);
  addEventListener('load', stopAtScrollable);
  stopAtScrollable();

  const marks = [...document.querySelectorAll('.piece mark')];
  let mark = -1;
  const step = (by) => {
    marks[mark]?.classList.remove('shown');
    mark = mark < 0 && by < 0 ? marks.length - 1 : (mark + by + marks.length) % marks.length;
    const chosen = marks[mark];
    chosen.classList.add('shown');
    chosen.scrollIntoView({ block: 'center' });
    show(chosen.closest('[data-piece]').dataset.piece, 'text');
    document.getElementById('unsure-place').textContent = (mark + 1) + ' of ' + marks.length;
  };
  document.getElementById('unsure-before')?.addEventListener('click', () => step(-1));
  document.getElementById('unsure-after')?.addEventListener('click', () => step(1));
})();
`;
