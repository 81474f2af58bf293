import type { PortalRole } from '../../../../store/portal-sessions.js';

/** The name of a person, and a word for whoever looks at the page. */
export function PersonName({ name, note }: { name: string; note: string | undefined }) {
  return (
    <span>
      <bdi>{name}</bdi>
      {note === undefined ? null : <span class="tag">{note}</span>}
    </span>
  );
}

/** A role, which is a word and no state. */
export function RoleName({ role }: { role: PortalRole }) {
  return <span class={role === 'owner' ? '' : 'soft'}>{role}</span>;
}
