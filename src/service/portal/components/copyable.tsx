import type { ComponentChild } from 'preact';
import { useFrame } from './frame.js';
import { Link } from './link.js';

/** An id or another text, whole, with a button that copies it. The button needs script. */
export function Copyable({ text, name, to }: { text: string; name: string; to?: ComponentChild }) {
  return (
    <span class="with-copy">
      <span class="id">{to ?? text}</span>
      <CopyButton name={name} />
    </span>
  );
}

/** An id with its page. Support and operators who have chosen no organisation get the id alone: its page is of one. */
export function CopyableLink({ text, name, path }: { text: string; name: string; path: string }) {
  const { organisation } = useFrame();
  return <Copyable text={text} name={name} to={organisation === undefined ? text : <Link to={path}>{text}</Link>} />;
}

/** A button that copies the text of an element, by its id. */
export function CopyTextButton({ of, name }: { of: string; name: string }) {
  return <button class="copy" type="button" data-copy-text={of} aria-label={`Copy ${name}`} />;
}

/** A button that copies the text before it, which `name` tells from others. */
export function CopyButton({ name }: { name: string }) {
  return <button class="copy" type="button" aria-label={`Copy ${name}`} />;
}
