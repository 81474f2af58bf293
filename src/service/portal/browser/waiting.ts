/** Asks for the page again while it says that it waits, and shows the result once it is there. */
import { say } from './say.js';

const POLL_MS = 1_000;

async function poll(): Promise<void> {
  const answer = await fetch(location.href).catch(() => undefined);
  const text = answer?.ok === true ? await answer.text() : undefined;
  const fresh = text === undefined ? undefined : new DOMParser().parseFromString(text, 'text/html');
  // A service that does not answer now may answer later; an ended session does not.
  if (answer !== undefined && (answer.redirected || fresh?.querySelector('[data-waiting]') === null)) location.reload();
  else {
    if (fresh !== undefined) show(fresh);
    setTimeout(poll, POLL_MS);
  }
}

function show(fresh: Document): void {
  for (const part of ['main .subject .badge', '[data-waiting] h2', '[data-waiting] progress']) {
    const [now, next] = [document.querySelector(part), fresh.querySelector(part)];
    if (now === null || next === null || now.outerHTML === next.outerHTML) continue;
    now.replaceWith(document.adoptNode(next));
    if (next.tagName === 'H2') say(next.textContent ?? '');
  }
}

setTimeout(poll, POLL_MS);
