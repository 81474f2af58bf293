import { holdBack } from './arrivals.js';
import { showTimes } from './times.js';

/**
 * Fetches the page's own address as a fragment and changes the page where the two differ, so that focus, selection, open rows and
 * what was typed stay. New rows of a list come with `isWhole` alone.
 */
export async function renew(page: HTMLElement, isWhole: boolean): Promise<'done' | 'failed' | 'ended'> {
  const answer = await fetch(location.pathname + location.search, { headers: { 'x-portal-fragment': '1' } }).catch(
    () => undefined,
  );
  if (answer?.redirected === true && new URL(answer.url).pathname !== location.pathname) return 'ended';
  if (answer?.ok !== true) return 'failed';
  const text = await answer.text().catch(() => undefined);
  if (text === undefined) return 'failed';
  const { Idiomorph } = await import('./idiomorph.js');
  const fresh = new DOMParser().parseFromString(text, 'text/html').querySelector<HTMLElement>('main');
  if (fresh === null) return 'failed';
  showTimes(fresh);
  if (!isWhole) holdBack(page, fresh);
  const changed = findChangedRows(page, fresh);
  Idiomorph.morph(page, [...fresh.childNodes], {
    morphStyle: 'innerHTML',
    callbacks: { beforeNodeMorphed, beforeAttributeUpdated },
  });
  for (const id of changed) mark(id);
  return 'done';
}

/** Fields, the filters and the foot are the reader's. */
function beforeNodeMorphed(old: Element): boolean {
  return !(old instanceof Element && old.matches('[data-keep], input:not([type=hidden]), select, textarea'));
}

/** Details that are open stay open, and a button that says "copied" goes on saying it. */
function beforeAttributeUpdated(name: string): boolean {
  return name !== 'open' && name !== 'data-done' && name !== 'data-changed';
}

/** Lists the rows whose state is another now. */
function findChangedRows(page: Element, fresh: Element): string[] {
  const rows = [...fresh.querySelectorAll<HTMLElement>('tr[id]')];
  const stateOf = (row: Element | null) => row?.querySelector('.badge')?.textContent;
  return rows
    .filter((row) => {
      const before = page.querySelector(`tr[id="${CSS.escape(row.id)}"]`);
      return before !== null && stateOf(before) !== stateOf(row);
    })
    .map(({ id }) => id);
}

/** Lets a row stand out for a moment. The style does nothing for those who want no motion. */
function mark(id: string): void {
  const row = document.getElementById(id);
  if (row === null) return;
  row.dataset.changed = '';
  const unmark = () => delete row.dataset.changed;
  if (row.getAnimations().length === 0) unmark();
  row.addEventListener('animationend', unmark, { once: true });
}
