/** A word of capitals and underscores, which may break after each of them. */
export function WithBreaks({ text }: { text: string }) {
  const parts = text.split(/(?<=_)/);
  return <span class="word">{parts.map((part, index) => (index === 0 ? part : [<wbr key={part} />, part]))}</span>;
}
