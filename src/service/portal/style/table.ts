/** Dense tables, which become cards where they have no room: by the width of the page's content, and so by the size of its text. */
export const TABLE = `
.table { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .8125rem; line-height: 1.35; }
caption { padding: .625rem .75rem 0; text-align: left; }
th { padding: .5rem .4375rem; border-bottom: 1px solid var(--rule); color: var(--soft); font-size: .75rem; font-weight: 550; text-align: left; white-space: nowrap; }
td { height: 2.25rem; padding: .1875rem .4375rem; border-bottom: 1px solid var(--rule); vertical-align: middle; }
th:first-child, td:first-child { padding-left: .875rem; }
th:last-child, td:last-child { padding-right: .875rem; }
tbody tr:last-child td { border-bottom: 0; }
tbody tr:hover { background: var(--raised); }
.number, .end { text-align: right; }
.number:not(:last-child) { padding-right: .5625rem; }
.nowrap { white-space: nowrap; }
td .id { font-size: .71875rem; }
td .cut { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
@container (min-width: 63rem) {
  td .word { font-size: .75rem; line-height: 1.2; overflow-wrap: break-word; }
  td.fill { width: 13%; min-width: 6rem; max-width: 0; }
  td.fill .cut { display: block; text-overflow: ellipsis; white-space: nowrap; }
  .end .row-actions { justify-content: flex-end; }
}
@container (min-width: 75rem) { td.fill { width: 26%; } }
@container (min-width: 63rem) { td.wide { width: 34%; } }
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

.tag { margin-left: .375rem; padding: 0 .375rem; border-radius: 4px; background: var(--accent-ground); color: var(--accent); font-size: .75rem; font-weight: 600; white-space: nowrap; }
.who { min-width: 7.5rem; }
.who .soft { font-size: .75rem; }

.empty { padding: 2.5rem 1rem; text-align: center; }
.empty h2 { margin-bottom: .25rem; }
.empty p { max-width: 34rem; margin-inline: auto; color: var(--soft); text-wrap: balance; }
.empty .code { max-width: 44rem; margin: 1rem auto 0; text-align: left; }

@media (prefers-reduced-motion: no-preference) {
  [data-changed] { animation: changed 2s ease-out; }
  @keyframes changed { from { background: var(--accent-ground); } }
}

@container (max-width: 62.99rem) {
  .table table, .table tbody, .table tr, .table td { display: block; }
  .table thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .table tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .1875rem .75rem; padding: .75rem .875rem; border-bottom: 1px solid var(--rule); }
  .table tbody tr:last-child { border-bottom: 0; }
  .table td { display: grid; grid-column: 1 / -1; grid-template-columns: 5.5rem minmax(0, 1fr); gap: .375rem; padding: 0 !important; border: 0; height: auto; text-align: left; white-space: normal; overflow-wrap: anywhere; }
  .table td:first-child, .table td.state { display: block; grid-column: auto; }
  .table td:first-child > :not(div), .table td:first-child a { font-weight: 550; }
  .table td.state { grid-area: 1 / 2; }
  .table td:has(> .none:only-child) { display: none; }
  .table td .with-copy { align-items: flex-start; }
  .table td .copy { margin-block: -.1875rem; }
  .table td[data-label]::before { content: attr(data-label); color: var(--soft); font-size: .75rem; line-height: 1.5; }
  .table td > * { justify-self: start; }
  .table td.optional { display: none; }
}
@container (min-width: 40rem) and (max-width: 62.99rem) {
  .table tr { grid-template-columns: repeat(3, minmax(0, 1fr)); }
  .table td { grid-column: auto; align-items: start; }
  .table td:has(> .with-copy) { grid-column: span 2; }
  .table td.prose { grid-column: 1 / -1; }
  .table td:first-child { grid-column: 1 / 3; }
  .table td.state { grid-area: 1 / 3; justify-self: end; }
  .table td:last-child { grid-column: 1 / -1; }
}
`;
