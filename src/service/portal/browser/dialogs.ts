/**
 * Shows the page of a question in a dialog: a link with `data-dialog` fetches its page and takes the part that asks. Without
 * script the link opens the page itself.
 */
document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-dialog]');
  if (link === null || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  void ask(link);
});

async function ask(link: HTMLAnchorElement): Promise<void> {
  const answer = await fetch(link.href).catch(() => undefined);
  const text = answer?.ok === true && !answer.redirected ? await answer.text() : '';
  const question = new DOMParser().parseFromString(text, 'text/html').querySelector('[data-question]');
  if (question === null) {
    location.assign(link.href);
    return;
  }
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-labelledby', 'dialog-title');
  const title = document.createElement('h2');
  title.id = 'dialog-title';
  title.textContent = question.getAttribute('data-question');
  dialog.append(title, document.adoptNode(question));
  document.body.append(dialog);
  dialog.addEventListener('close', () => {
    dialog.remove();
    link.focus();
  });
  dialog.showModal();
  const cancel = dialog.querySelector<HTMLAnchorElement>('[data-cancel]');
  cancel?.addEventListener('click', (event) => {
    event.preventDefault();
    dialog.close();
  });
  cancel?.focus();
}

export {};
