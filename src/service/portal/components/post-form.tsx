import type { ComponentChildren } from 'preact';
import { FORM_TOKEN_FIELD } from '../../../contract/portal.js';
import { hrefOf, useFrame } from './frame.js';

/** A form that changes something: it carries the token without which no change is made. */
export function PostForm({
  to,
  children,
  hasFile = false,
  ...rest
}: {
  to: string;
  /** True for a form with a file, whose fields stand before it. */
  hasFile?: boolean;
  class?: string;
  id?: string;
  children: ComponentChildren;
}) {
  const frame = useFrame();
  return (
    <form method="post" action={hrefOf(frame, to)} {...(hasFile ? { enctype: 'multipart/form-data' } : {})} {...rest}>
      <input type="hidden" name={FORM_TOKEN_FIELD} value={frame.formToken} />
      {children}
    </form>
  );
}
