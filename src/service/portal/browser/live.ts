import { renew } from './renew.js';

/** Time between two looks of a page that gets no stream, because other tabs have them. */
const POLL_MS = 10_000;

const main = document.querySelector<HTMLElement>('main[data-live]');
if (main !== null) follow(main);

/** Follows the changes of what the page shows, while somebody can see it. */
function follow(page: HTMLElement): void {
  const { live = '', liveSeen = '', liveAddress = '' } = page.dataset;
  const subjects = live.split(' ');
  const state = page.querySelector<HTMLElement>('[data-live-state]');
  const address = new URL(liveAddress, location.href);
  let seen = liveSeen;
  let source: EventSource | undefined;
  let poll: number | undefined;
  let isEnded = false;
  let isRenewing = false;
  let isStale = false;
  let isWhole = false;

  /** Renews the page once at a time, and once more for what changes meanwhile. */
  function renewSoon(): void {
    isStale = true;
    if (!isRenewing) void renewAll();
  }

  async function renewAll(): Promise<void> {
    isRenewing = true;
    while (isStale && !isEnded) {
      const wholly = isWhole;
      isStale = false;
      isWhole = false;
      const outcome = await renew(page, wholly);
      if (wholly && outcome === 'done') page.querySelector<HTMLElement>('[data-arrivals]')?.focus();
      if (outcome === 'ended') end();
      if (outcome === 'done') continue;
      // The next event, or the stream that opens again, brings it.
      isStale = true;
      break;
    }
    isRenewing = false;
  }

  function note(kind: 'live' | 'polled' | 'ended', text: string): void {
    if (state === null) return;
    state.dataset.liveState = kind;
    state.textContent = text;
  }

  function end(): void {
    isEnded = true;
    close();
    note('ended', 'Your session has ended: this page stays as it is.');
  }

  function open(): void {
    if (isEnded || document.hidden || source !== undefined || poll !== undefined) return;
    address.searchParams.set('seen', seen);
    const opened = new EventSource(address);
    source = opened;
    opened.addEventListener('open', () => {
      note('live', 'Live');
      if (isStale) renewSoon();
    });
    opened.addEventListener('change', ({ data, lastEventId }: MessageEvent<string>) => {
      seen = lastEventId;
      if (data.split(' ').some((subject) => subjects.includes(subject))) renewSoon();
    });
    opened.addEventListener('error', () => {
      // Otherwise the browser comes back by itself.
      if (opened.readyState !== EventSource.CLOSED || source !== opened) return;
      source = undefined;
      note('polled', 'Renewed every 10 seconds');
      poll = setInterval(renewSoon, POLL_MS);
      renewSoon();
    });
  }

  function close(): void {
    source?.close();
    source = undefined;
    clearInterval(poll);
    poll = undefined;
  }

  page.addEventListener('click', ({ target }) => {
    if (!(target instanceof Element) || target.closest('[data-show-arrived]') === null) return;
    isWhole = true;
    renewSoon();
  });
  document.addEventListener('visibilitychange', () => (document.hidden ? close() : open()));
  // A page that the browser keeps for the way back must not keep a connection.
  addEventListener('pagehide', close);
  addEventListener('pageshow', open);
  open();
}
