import type { ComponentChild } from 'preact';

/** A figure with its name and a note, of a list with the class `figures`. */
export function Figure(props: {
  name: string;
  figure: ComponentChild;
  note?: ComponentChild;
  children?: ComponentChild;
}) {
  const { name, figure, note, children } = props;
  return (
    <div>
      <dt>{name}</dt>
      <dd class="figure">{figure}</dd>
      {note === undefined ? null : <dd class="soft">{note}</dd>}
      {children === undefined || children === null ? null : <dd>{children}</dd>}
    </div>
  );
}

/** Stands beside the number that it draws. */
export function Meter({ share }: { share: number }) {
  const tone = share >= 1 ? 'bad' : share >= 0.9 ? 'warn' : 'good';
  return (
    <svg class={`meter ${tone}`} viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
      <rect class="whole" width={100} height={1} />
      <rect class="part" width={Math.min(100, Math.max(share * 100, share > 0 ? 0.5 : 0))} height={1} />
    </svg>
  );
}
