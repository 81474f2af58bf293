import type { ComponentChildren } from 'preact';
import { hrefOf, useFrame } from './frame.js';

/** A form whose fields become the address, about the same organisation. A GET form drops the query of its action. */
export function GetForm({ to, children, ...rest }: { to: string; class?: string; children: ComponentChildren }) {
  const frame = useFrame();
  return (
    <form method="get" action={hrefOf({ ...frame, isChosen: false }, to)} {...rest}>
      {frame.isChosen && frame.organisation !== undefined ? (
        <input type="hidden" name="organisation" value={frame.organisation.id} />
      ) : null}
      {children}
    </form>
  );
}
