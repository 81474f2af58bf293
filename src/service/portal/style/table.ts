/** Dense tables, which become cards where they have no room. */
export const TABLE = `
.panel { border: 1px solid var(--rule); border-radius: 8px; background: var(--panel); box-shadow: var(--shadow); }
.table { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .8125rem; line-height: 1.35; }
caption { padding: .625rem .75rem 0; text-align: left; }
th { padding: .5rem .4375rem; border-bottom: 1px solid var(--rule); color: var(--soft); font-size: .75rem; font-weight: 550; text-align: left; white-space: nowrap; }
td { height: 2.25rem; padding: .25rem .4375rem; border-bottom: 1px solid var(--rule); vertical-align: middle; }
th:first-child, td:first-child { padding-left: .875rem; }
th:last-child, td:last-child { padding-right: .875rem; }
tbody tr:last-child td { border-bottom: 0; }
tbody tr:hover { background: var(--raised); }
.number { text-align: right; }
.nowrap { white-space: nowrap; }
td .cut { display: block; max-width: 8.5rem; text-align: left; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
td .id { font-size: .71875rem; }
@media (min-width: 48rem) { td .word { overflow-wrap: break-word; } }
@media (min-width: 48rem) and (max-width: 89.99rem) { td .word { font-size: .75rem; } td .cut { max-width: 6.5rem; } }
@media (min-width: 100rem) { td .cut { max-width: 20rem; } }
.none { color: var(--soft); }
.with-copy { display: inline-flex; align-items: center; gap: .125rem; max-width: 100%; }
.with-copy > :first-child { min-width: 0; overflow-wrap: anywhere; }
.copy { position: relative; flex: none; width: 1.5rem; height: 1.5rem; padding: 0; border: 0; border-radius: 4px; background: none; color: var(--soft); cursor: pointer; }
.copy::before, .copy::after { content: ''; position: absolute; width: .5rem; height: .625rem; border: 1.5px solid currentColor; border-radius: 2px; }
.copy::before { left: .625rem; top: .5rem; background: var(--panel); z-index: 1; }
.copy::after { left: .4375rem; top: .3125rem; }
.copy:hover { background: var(--accent-ground); color: var(--accent); }
.copy[data-done]::before { left: .5625rem; top: .25rem; width: .3125rem; height: .6875rem; border-width: 0 2px 2px 0; border-radius: 0; background: none; rotate: 40deg; }
.copy[data-done]::after { display: none; }
.copy[data-done] { color: var(--good); }

.badge { display: inline-flex; align-items: center; gap: .375rem; padding: .0625rem .4375rem .0625rem .375rem; border-radius: 4px; background: var(--ground); color: var(--soft); font-size: .75rem; font-weight: 600; line-height: 1.4; white-space: nowrap; }
.badge::before { content: ''; flex: none; width: .4375rem; height: .4375rem; border-radius: 50%; background: currentColor; }
.badge.good { background: var(--good-ground); color: var(--good); }
.badge.bad { background: var(--bad-ground); color: var(--bad); }
.badge.bad::before { border-radius: 1px; rotate: 45deg; }
.badge.warn { background: var(--warn-ground); color: var(--warn); }
.badge.warn::before { width: 0; height: 0; border: .25rem solid transparent; border-top-width: 0; border-bottom: .4375rem solid currentColor; border-radius: 0; background: none; }
.badge.wait::before { border: 1.5px solid currentColor; background: none; }
.badge.run { background: var(--accent-ground); color: var(--accent); }
.badge.run::before { background: linear-gradient(90deg, currentColor 50%, transparent 0); box-shadow: inset 0 0 0 1.5px currentColor; }

.use { display: inline-block; width: 6.5rem; }
.use .meter { height: .25rem; margin-top: .1875rem; }
.tag { margin-left: .375rem; padding: 0 .375rem; border-radius: 4px; background: var(--accent-ground); color: var(--accent); font-size: .75rem; font-weight: 600; white-space: nowrap; }
.who { min-width: 7.5rem; }
.who .soft { font-size: .75rem; }

.pager { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; justify-content: space-between; padding: .625rem .875rem; border-top: 1px solid var(--rule); color: var(--soft); font-size: .8125rem; }
.pager div { display: flex; gap: .5rem; }
.empty { padding: 2.5rem 1rem; text-align: center; }
.empty h2 { margin-bottom: .25rem; }
.empty p { max-width: 34rem; margin-inline: auto; color: var(--soft); }
.empty .code { max-width: 44rem; margin: 1rem auto 0; text-align: left; }

[data-arrivals]:focus { outline: 0; }
[data-arrivals] td * { scroll-margin-top: 3rem; }
.arrived { position: sticky; top: .5rem; z-index: 2; display: flex; justify-content: center; height: 0; }
.arrived .button { align-self: start; border-radius: 1rem; translate: 0 -50%; box-shadow: 0 2px 8px light-dark(rgb(20 30 45 / .2), rgb(0 0 0 / .5)); }
@media (prefers-reduced-motion: no-preference) {
  [data-changed] { animation: changed 2s ease-out; }
  @keyframes changed { from { background: var(--accent-ground); } }
}

@media (max-width: 47.99rem) {
  .table table, .table tbody, .table tr, .table td { display: block; }
  .table thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .table tr { padding: .625rem .875rem; border-bottom: 1px solid var(--rule); }
  .table tbody tr:last-child { border-bottom: 0; }
  .table td { display: grid; grid-template-columns: 6rem minmax(0, 1fr); gap: .5rem; padding: .125rem 0 !important; border: 0; height: auto; text-align: left; white-space: normal; overflow-wrap: anywhere; }
  .table td:has(> .none:only-child) { display: none; }
  .table td .with-copy { align-items: flex-start; }
  .table td .copy { margin-block: -.1875rem; }
  .table td::before { content: attr(data-label); color: var(--soft); }
  .table td > * { justify-self: start; }
  .table td.optional { display: none; }
  .table td .cut { max-width: 100%; white-space: normal; }
}
`;
