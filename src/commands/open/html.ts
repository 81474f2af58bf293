/** A piece of HTML that is safe to print. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Html | undefined | readonly Value[];

/** Puts values into HTML. Text is escaped for elements and for quoted attributes; only another piece of HTML stays as it is. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  let text = '';
  for (const [index, part] of parts.entries()) text += part + render(values[index]);
  return new Html(text);
}

function render(value: Value): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(render).join('');
  return escapeHtml(String(value));
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Control characters but those of text are no part of HTML. */
function escapeHtml(text: string): string {
  const plain = text.replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '\ufffd');
  return plain.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
