import type { ComponentChildren } from 'preact';

/** Stands where a list has no rows, and names the next step. */
export function EmptyState({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
