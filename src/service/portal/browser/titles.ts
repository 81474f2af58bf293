/** Gives the pointer the whole of what is cut, and times to the millisecond: titles in each row would make pages larger. */
document.addEventListener('pointerover', ({ target }) => {
  const element = target instanceof Element ? target.closest<HTMLElement>('.cut, time') : null;
  if (element === null || element.title !== '') return;
  element.title = element instanceof HTMLTimeElement ? element.dateTime : (element.textContent ?? '');
});

export {};
