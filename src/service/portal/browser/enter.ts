/** Fills in the code from the address, and takes it out of the address and the history. */
function take(): void {
  const form = document.querySelector<HTMLFormElement>('[data-enter]');
  const field = form?.querySelector<HTMLInputElement>('input[name="token"]');
  const token = location.hash.slice(1);
  if (!form || !field || token === '' || token === 'field-token') return;
  field.value = token;
  history.replaceState(null, '', location.pathname);
  const block = field.closest<HTMLElement>('.field');
  if (block !== null) block.hidden = true;
  const hint = form.querySelector('[data-enter-hint]');
  if (hint !== null) hint.textContent = 'Your link works once. It opens a session in this browser.';
  // Whoever comes with a link enters with it; an account can be connected afterwards.
  const signIn = document.querySelector<HTMLElement>('[data-sign-in]');
  if (signIn !== null) signIn.hidden = true;
  const button = form.querySelector('button');
  button?.classList.add('main');
  button?.focus();
}

take();
// A link that is opened where this page is open already loads nothing.
addEventListener('hashchange', take);

export {};
