import type { ComponentChildren } from 'preact';
import { CodeBlock } from './code-block.js';
import type { Frame } from './frame.js';
import { Link } from './link.js';
import { Notice } from './notice.js';
import { Page } from './page.js';

interface SecretProps {
  frame: Frame;
  title: string;
  above: { title: string; path: string };
  /** The kind of secret: API key. */
  what: string;
}

/** Shows a secret in the answer that made it, the only place where it ever stands. */
export function SecretPage(props: SecretProps & { secret: string; children: ComponentChildren }) {
  const { frame, title, above, what, secret, children } = props;
  return (
    <Page frame={frame} title={title} above={above}>
      <div class="form panel section">
        <Notice tone="warn">{`Copy the ${what} now. It is shown this once, and nothing can show it again.`}</Notice>
        <CodeBlock text={secret} name={what} />
        {children}
        <div class="buttons start">
          <Link class="button main" to={above.path}>
            Done
          </Link>
        </div>
      </div>
    </Page>
  );
}

/** Answers a form that has made its secret before. */
export function RepeatedPage({ frame, title, above, what, children }: SecretProps & { children: ComponentChildren }) {
  return (
    <Page frame={frame} title={title} above={above}>
      <div class="form panel section">
        <Notice tone="warn">{`This form has made its ${what} already. The ${what} cannot be shown again.`}</Notice>
        <p>{children}</p>
      </div>
    </Page>
  );
}
