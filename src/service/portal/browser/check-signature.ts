import { explain } from './explain-signature.js';

const part = document.querySelector<HTMLElement>('[data-check]');
const verdict = part?.querySelector('[data-check-verdict]');

// Browsers have cryptography on https and on this machine alone.
if (part && verdict && 'subtle' in crypto) {
  part.hidden = false;
  document.querySelector<HTMLElement>('[data-check-lack]')?.remove();
  part.querySelector('[data-check-run]')?.addEventListener('click', () => void check());
}

async function check(): Promise<void> {
  const [body, header, secret] = ['body', 'header', 'secret'].map(
    (name) => part?.querySelector<HTMLInputElement>(`[id="field-check-${name}"]`)?.value ?? '',
  );
  const { isRight, summary, steps } = await explain({
    body: body ?? '',
    header: header ?? '',
    secret: secret ?? '',
    nowS: Date.now() / 1000,
  });
  const notice = document.createElement('div');
  notice.className = `notice ${isRight ? 'good' : 'bad'}`;
  const title = document.createElement('p');
  title.textContent = summary;
  const list = document.createElement('ul');
  for (const { name, isRight: isStepRight, text } of steps) {
    const item = document.createElement('li');
    const badge = document.createElement('span');
    badge.className = `badge ${isStepRight === undefined ? 'wait' : isStepRight ? 'good' : 'bad'}`;
    badge.textContent = name;
    item.append(badge, ` ${text}`);
    list.append(item);
  }
  notice.append(title, list);
  verdict?.replaceChildren(notice);
}
