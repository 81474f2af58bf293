/** Filters with their chips, facts and code. */
export const LISTS = `
.filters { margin-bottom: 1rem; }
.filters summary { display: inline-flex; list-style: none; }
.filters summary::-webkit-details-marker { display: none; }
.filters form { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(11rem, 100%), 1fr)); gap: .75rem; margin-top: .75rem; padding: 1rem; border: 1px solid var(--rule); border-radius: 8px; background: var(--panel); }
.filters .buttons { grid-column: 1 / -1; justify-content: flex-start; }
.chips { display: flex; flex-wrap: wrap; gap: .375rem; margin-bottom: 1rem; }
.chips a { display: inline-flex; align-items: center; gap: .375rem; min-height: 1.625rem; max-width: 100%; padding: .0625rem .5rem; border: 1px solid var(--edge); border-radius: 1rem; background: var(--panel); color: var(--ink); font-size: .8125rem; overflow-wrap: anywhere; }
.chips a:hover { border-color: var(--control); text-decoration: none; }
.chips a[aria-label]::after { content: '×'; color: var(--soft); font-size: 1rem; line-height: 1; }

.lead { max-width: 44rem; margin-bottom: 1rem; color: var(--soft); }
.subject { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; margin-bottom: 1.25rem; }
.columns { display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr); }
@media (min-width: 75rem) { .columns { grid-template-columns: minmax(0, 1fr) 21rem; align-items: start; } }
.section { padding: 1rem 1.125rem; }
.section + .section { margin-top: 1.25rem; }
.section > h2 { margin-bottom: .625rem; }
.facts { display: grid; grid-template-columns: minmax(5.5rem, min(24%, 10rem)) minmax(0, 1fr); font-size: .8125rem; }
.facts > * { padding: .3125rem 0; border-top: 1px solid var(--rule); }
.facts > dt:first-of-type, .facts > dd:first-of-type { border-top: 0; }
.facts dt { padding-right: .75rem; color: var(--soft); }
.facts dd { overflow-wrap: anywhere; }
.facts .copy { margin-block: -.1875rem; }
.code { display: flex; align-items: flex-start; gap: .5rem; padding: .5rem .5rem .5rem .75rem; border: 1px solid var(--rule); border-radius: var(--radius); background: var(--ground); }
.code pre { flex: 1; min-width: 0; overflow-wrap: anywhere; white-space: pre-wrap; font-size: .75rem; line-height: 1.6; }
`;
