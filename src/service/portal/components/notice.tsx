import type { ComponentChildren } from 'preact';

/** Says what has happened, or what to know before going on. */
export function Notice({ tone, children }: { tone?: 'good' | 'bad' | 'warn'; children: ComponentChildren }) {
  return (
    <div class={`notice${tone === undefined ? '' : ` ${tone}`}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}
