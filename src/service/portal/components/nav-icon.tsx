/** Drawings of 16 by 16, by the path of their page. */
const SHAPES: Readonly<Record<string, string>> = {
  '/overview': 'M2.5 13.5h11M4 11V7.5M8 11V3M12 11V5.5',
  '/api-keys': 'M6.75 9.25 13.5 2.5M11.25 4.75l1.75 1.75M9 7l1.25 1.25M7.5 11a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0',
  '/request-logs': 'M2.5 4h.01M2.5 8h.01M2.5 12h.01M5.5 4h8M5.5 8h8M5.5 12h5',
  '/job-queues': 'M2.5 2.5h11v3.5h-11zM4 9h8M5.5 12.5h5',
  '/webhooks':
    'M6 4.5a2.5 2.5 0 1 1 3.4 2.3L11.5 11M8 4.5 5.5 9.5M11.5 11a2 2 0 1 1-1 1.75H6M6 12.25a2.25 2.25 0 1 1-2-2.25',
  '/functions': 'M9 2.5H4.5v11h7V5zM9 2.5V5h2.5M6.5 8h3M6.5 10.5h3',
  '/organisation': 'M2.5 13.5h11M4 13.5v-11h5v11M9 6.5h3v7M6.5 5.5h.01M6.5 8.5h.01',
  '/operator': 'M8 2.5 13 4v4c0 3-2 4.75-5 5.75C5 12.75 3 11 3 8V4z',
};

/** The drawing beside the name of a page in the navigation. */
export function NavIcon({ path }: { path: string }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={SHAPES[path] ?? ''} />
    </svg>
  );
}
