/**
 * Marks the box of a line that is pointed at or focused, and the line of a box. Lines are one stop of the keyboard, and boxes
 * another: arrows move within them.
 */
const groups = [...document.querySelectorAll<Element>('.lines, .marks')].map((group) => [
  ...group.querySelectorAll<HTMLElement | SVGElement>('[data-mark]'),
]);

function partners(target: EventTarget | null): Element[] {
  const mark = (target as Element | null)?.closest?.('[data-mark]')?.getAttribute('data-mark');
  return mark == null ? [] : [...document.querySelectorAll(`[data-mark="${mark}"]`)];
}

function mark(target: EventTarget | null): void {
  for (const old of document.querySelectorAll('[data-marked]')) old.removeAttribute('data-marked');
  for (const one of partners(target)) {
    one.setAttribute('data-marked', '');
    const list = one.closest('.lines');
    if (list !== null && list !== (target as Element).closest('.lines')) scrollWithin(list, one);
  }
}

/** Scrolls the list alone: the page under the pointer stays where it is. */
function scrollWithin(list: Element, line: Element): void {
  const [outer, inner] = [list.getBoundingClientRect(), line.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top + 8;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + 8;
}

/** Place of the pointer on the screen. */
let pointerAt = '';

/**
 * Follows the pointer where it moved. A line that comes to lie under one that rests, as its list scrolls to the focus, is not
 * pointed at.
 */
function follow({ target, screenX, screenY }: PointerEvent): void {
  const at = `${screenX} ${screenY}`;
  if (at === pointerAt) return;
  pointerAt = at;
  mark(target);
}

// A tap moves nothing: it comes over what it is on.
document.addEventListener('pointerover', follow);
document.addEventListener('pointermove', follow);
document.addEventListener('focusin', (event) => mark(event.target));

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

for (const group of groups) {
  for (const [index, one] of group.entries()) {
    one.setAttribute('tabindex', index === 0 ? '0' : '-1');
    one.addEventListener('keydown', (event) => {
      const { key } = event as KeyboardEvent;
      const to = key === 'Home' ? 0 : key === 'End' ? group.length - 1 : index + (STEPS[key] ?? 0);
      const next = group[to];
      if (next === undefined || next === one) return;
      event.preventDefault();
      one.setAttribute('tabindex', '-1');
      next.setAttribute('tabindex', '0');
      next.focus();
    });
  }
}

export {};
