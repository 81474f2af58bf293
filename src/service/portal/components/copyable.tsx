import type { ComponentChild } from 'preact';

/** An id or another text, whole, with a button that copies it. The button needs script. */
export function Copyable({ text, name, to }: { text: string; name: string; to?: ComponentChild }) {
  return (
    <span class="with-copy">
      <span class="id">{to ?? text}</span>
      <CopyButton text={text} name={name} />
    </span>
  );
}

/** A button that copies a text, which `name` tells from others. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  return <button class="copy" type="button" data-copy={text} aria-label={`Copy ${name}`} />;
}
