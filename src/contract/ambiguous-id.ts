/** Says that an id was shortened too far; the service and the command say it alike. */
export function explainAmbiguousId(shortened: string, candidates: readonly string[], maxShown: number): string {
  const shown = candidates.slice(0, maxShown).join(', ');
  return `Several ids begin with ${shortened}: ${shown}${candidates.length > maxShown ? ' and more' : ''}`;
}
