import type { ComponentChildren } from 'preact';
import { hrefOf, useFrame } from './frame.js';

/** A link to a page of the portal, about the same organisation. Nothing that a user typed becomes a path. */
export function Link(props: {
  to: string;
  query?: Readonly<Record<string, string | undefined>>;
  isCurrent?: boolean;
  /** True for a link whose page asks a question, in a dialog where there is script. */
  asks?: boolean;
  /** True for a link that leaves the chosen organisation. */
  leaves?: boolean;
  /** True for the way back out of a question. */
  isCancel?: boolean;
  class?: string;
  label?: string;
  children: ComponentChildren;
}) {
  const { to, query, isCurrent = false, asks = false, leaves = false, isCancel = false, label, children } = props;
  const frame = useFrame();
  return (
    <a
      href={hrefOf(leaves ? { ...frame, isChosen: false } : frame, to, query)}
      {...(props.class === undefined ? {} : { class: props.class })}
      {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
      {...(asks ? { 'data-dialog': '' } : {})}
      {...(isCancel ? { 'data-cancel': '' } : {})}
      {...(label === undefined ? {} : { 'aria-label': label })}
    >
      {children}
    </a>
  );
}
