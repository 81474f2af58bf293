import type { ComponentChildren } from 'preact';
import { hrefOf, useFrame } from './frame.js';

/** A link to a page of the portal, about the same organisation. Nothing that a user typed becomes a path. */
export function Link(props: {
  to: string;
  query?: Readonly<Record<string, string | undefined>>;
  isCurrent?: boolean;
  class?: string;
  label?: string;
  children: ComponentChildren;
}) {
  const { to, query, isCurrent = false, label, children } = props;
  return (
    <a
      href={hrefOf(useFrame(), to, query)}
      {...(props.class === undefined ? {} : { class: props.class })}
      {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
      {...(label === undefined ? {} : { 'aria-label': label })}
    >
      {children}
    </a>
  );
}
