import { say } from './say.js';

/** Rows of a whole page of a list. */
const MAX_ROWS = 50;

/**
 * Keeps new rows out of a fresh page, so that nothing jumps under the reader: a button says how many there are. Without any row yet
 * the first ones come by themselves.
 */
export function holdBack(page: HTMLElement, fresh: HTMLElement): void {
  const [panel, freshPanel] = [page, fresh].map((one) => one.querySelector<HTMLElement>('[data-arrivals]'));
  const [body, freshBody] = [panel, freshPanel].map((one) => one?.querySelector('tbody'));
  if (!panel || !freshPanel || !body || !freshBody) return;
  const rows = [...freshBody.rows];
  const known = new Set([...body.rows].map(({ id }) => id));
  const first = rows.findIndex(({ id }) => known.has(id));
  const arrived = first === -1 ? rows : rows.slice(0, first);
  const kept = [...rows.slice(arrived.length), ...findPushedOff([...body.rows], rows)];
  if (arrived.length === 0 || kept.length === 0) return;
  freshBody.replaceChildren(...kept);
  const [pager, freshPager] = [panel, freshPanel].map((one) => one.querySelector('.pager'));
  if (pager && freshPager) freshPager.replaceWith(pager.cloneNode(true));
  const [one, many] = (panel.dataset.arrivals ?? '').split(' ');
  const text = `${arrived.length}${rows.length < MAX_ROWS || first !== -1 ? '' : '+'} new ${arrived.length === 1 ? one : many}`;
  if (panel.querySelector('[data-arrived]') === null) say(text);
  freshPanel.prepend(renderButton(text));
}

/** New rows push the oldest off a full page: those stay. Rows that are missing for another reason have left the list. */
function findPushedOff(old: readonly HTMLTableRowElement[], rows: readonly HTMLTableRowElement[]): Node[] {
  if (rows.length < MAX_ROWS) return [];
  const ids = new Set(rows.map(({ id }) => id));
  const last = old.findLastIndex(({ id }) => ids.has(id));
  return old.slice(last + 1).map((row) => row.cloneNode(true));
}

function renderButton(text: string): HTMLElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button main';
  button.dataset.showArrived = '';
  button.textContent = text;
  const holder = document.createElement('div');
  holder.className = 'arrived';
  holder.dataset.arrived = '';
  holder.append(button);
  return holder;
}
