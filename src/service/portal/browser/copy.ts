import { say } from './say.js';

const DONE_MS = 1_500;

document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLButtonElement>('button.copy');
  if (button === null) return;
  const { copyText } = button.dataset;
  const source = copyText === undefined ? button.previousElementSibling : document.getElementById(copyText);
  void copy(source?.textContent ?? '').then((isCopied) => {
    say(isCopied ? 'Copied' : 'Not copied: select the text and copy it yourself');
    if (!isCopied) return;
    button.dataset.done = '';
    setTimeout(() => delete button.dataset.done, DONE_MS);
  });
});

/** The clipboard is for https and this machine alone; a selection works everywhere. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    return isCopied;
  }
}
