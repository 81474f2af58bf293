/** Tells a screen reader what has happened, without moving the focus. */
export function say(message: string): void {
  const status = document.getElementById('status');
  if (status !== null) status.textContent = message;
}
