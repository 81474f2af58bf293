/** Why a list is empty: nothing was sent yet, or not to the service that a flag names; none has that status; the filters leave none. */
export function explainEmptyList(
  { one, start }: { one: 'job' | 'request'; start: string },
  all: readonly { status: string | null }[],
  status: string | undefined,
  { isNamed }: { isNamed: boolean },
): string {
  if (all.length === 0) return isNamed ? `No ${one} was sent to this service from here.` : `No ${one}s yet. ${start}`;
  const known = [...new Set(all.map((item) => item.status ?? ''))].sort();
  if (status === undefined || known.includes(status)) return `No ${one} known here matches.`;
  return `No ${one} known here has the status ${status}. There are: ${known.join(', ')}`;
}
