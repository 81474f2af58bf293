const KEY = 'ocr.zone';
const button = document.querySelector<HTMLButtonElement>('[data-zone-switch]');
const note = document.querySelector('[data-zone-note]');
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
const years = new Date().getFullYear();

if (button !== null && note !== null && timeZone !== 'UTC') {
  button.hidden = false;
  button.addEventListener('click', () => {
    if (isUtcChosen()) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, 'UTC');
    show();
  });
  show();
}

function show(): void {
  const isUtc = isUtcChosen();
  const zone = isUtc ? 'UTC' : timeZone;
  if (note !== null) note.textContent = isUtc ? 'Times are in UTC.' : `Times are in ${zone}.`;
  if (button !== null) button.textContent = isUtc ? `Show in ${timeZone}` : 'Show in UTC';
  showTimes(document);
}

/** Shows the times of a part of a page in the reader's zone, or in UTC where that was chosen in this browser. */
export function showTimes(part: ParentNode): void {
  if (timeZone === 'UTC') return;
  const zone = isUtcChosen() ? 'UTC' : timeZone;
  for (const element of part.querySelectorAll('time')) element.textContent = format(new Date(element.dateTime), zone);
}

function isUtcChosen(): boolean {
  return localStorage.getItem(KEY) === 'UTC';
}

function format(time: Date, zone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: 'short',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(time);
  const get = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  const year = Number(get('year')) === years ? '' : ` ${get('year')}`;
  return `${get('day')} ${get('month')}${year} ${get('hour')}:${get('minute')}:${get('second')}`;
}
