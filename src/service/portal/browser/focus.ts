/** Moves the focus to the errors of a refused form. */
document.querySelector<HTMLElement>('[data-focus]')?.focus();

export {};
