/** A description of the catalogue: what stands between backticks in it is code. */
export function Prose({ text }: { text: string }) {
  const parts = text.split('`');
  return <>{parts.map((part, index) => (index % 2 === 0 ? part : <code key={`${index} ${part}`}>{part}</code>))}</>;
}
