/** Panels with their heads, and choices above pages. */
export const PANELS = `
.panel { border: 1px solid var(--rule); border-radius: 8px; background: var(--panel); box-shadow: var(--shadow); }
.title { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 .75rem; }
.title p { font-size: .8125rem; }
.quiet { padding: .5rem .875rem 1rem; color: var(--soft); }
.choices { display: flex; flex-wrap: wrap; gap: 2px; padding: 2px; border: 1px solid var(--edge); border-radius: 8px; background: var(--panel); }
.choices a { padding: .1875rem .625rem; border-radius: var(--radius); color: var(--soft); font-weight: 500; }
.choices a[aria-current] { background: var(--accent-ground); color: var(--accent); }
.choices.tabs { gap: 1.25rem; margin-bottom: 1.25rem; padding: 0; border-width: 0 0 1px; border-color: var(--rule); border-radius: 0; background: none; }
.choices.tabs a { margin-bottom: -1px; padding: .375rem .125rem .5rem; border-bottom: 2px solid transparent; border-radius: 0; }
.choices.tabs a:hover { color: var(--ink); text-decoration: none; }
.choices.tabs a[aria-current] { border-color: var(--accent); background: none; color: var(--accent); }
`;
