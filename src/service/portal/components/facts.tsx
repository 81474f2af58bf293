import type { ComponentChild } from 'preact';

/** Names and values of one thing. A value that is null or undefined leaves its line out. */
export function Facts({ facts }: { facts: ReadonlyArray<readonly [name: string, value: ComponentChild]> }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>])}
    </dl>
  );
}
