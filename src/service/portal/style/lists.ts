/** Lists: filters with their chips, the way to older rows, and the button for new ones. */
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
.pager { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; justify-content: space-between; padding: .625rem .875rem; border-top: 1px solid var(--rule); color: var(--soft); font-size: .8125rem; }
.pager div { display: flex; gap: .5rem; }
[data-arrivals]:focus { outline: 0; }
[data-arrivals] td * { scroll-margin-top: 3rem; }
.arrived { position: sticky; top: .5rem; z-index: 2; display: flex; justify-content: center; height: 0; }
.arrived .button { align-self: start; border-radius: 1rem; translate: 0 -50%; box-shadow: 0 2px 8px light-dark(rgb(20 30 45 / .2), rgb(0 0 0 / .5)); }
`;
