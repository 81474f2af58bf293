import { CopyButton } from './copyable.js';

/** Lines to copy into a terminal or a program. */
export function CodeBlock({ text, name }: { text: string; name: string }) {
  return (
    <div class="code">
      <pre tabindex={0}>{text}</pre>
      <CopyButton name={name} />
    </div>
  );
}
