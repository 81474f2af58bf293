/** Says that a form with a file is on its way, and keeps a second press from sending it again. */
import { say } from './say.js';

const button = document.querySelector<HTMLButtonElement>('button[data-sending]');
const label = button?.textContent ?? '';

button?.form?.addEventListener('submit', (event) => {
  if (button.getAttribute('aria-disabled') === 'true') event.preventDefault();
  button.setAttribute('aria-disabled', 'true');
  button.textContent = button.dataset.sending ?? label;
  say(button.textContent);
});

// The page comes back as it was left.
addEventListener('pageshow', () => {
  button?.removeAttribute('aria-disabled');
  if (button) button.textContent = label;
});
