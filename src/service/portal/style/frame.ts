/** The frame around a page: navigation at the side, above on narrow screens. */
export const FRAME = `
@media (min-width: 80rem) {
  body:has(> .side) { display: grid; grid-template-columns: 12.25rem minmax(0, 1fr); min-height: 100vh; }
}
.side { display: flex; align-items: center; gap: .75rem; padding: .625rem 1rem; border-bottom: 1px solid var(--rule); background: var(--panel); }
.brand { display: flex; flex: 1; align-items: center; gap: .625rem; min-width: 0; font-weight: 650; }
.mark { flex: none; width: 1.5rem; height: 1.5rem; border-radius: 5px; background: linear-gradient(var(--on-accent) 0 0) .375rem .4375rem / .75rem .125rem no-repeat, linear-gradient(var(--on-accent) 0 0) .375rem .6875rem / .75rem .125rem no-repeat, linear-gradient(var(--on-accent) 0 0) .375rem .9375rem / .4375rem .125rem no-repeat, var(--accent); }
.whose { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.menu-content { flex-direction: column; gap: 1rem; width: auto; margin: 0; border: 0; background: var(--panel); color: inherit; font-size: .875rem; }
.menu-content:popover-open { display: flex; inset: 3.25rem 0 auto; padding: .75rem 1rem 1rem; border-bottom: 1px solid var(--rule); box-shadow: 0 16px 32px rgb(0 0 0 / .14); }
.side nav a { display: flex; align-items: center; gap: .625rem; min-height: 2rem; padding: .25rem .625rem; border-radius: var(--radius); color: var(--ink); font-weight: 500; }
.side nav a:hover { background: var(--ground); text-decoration: none; }
.side nav a[aria-current] { background: var(--accent-ground); color: var(--accent); font-weight: 600; }
.side nav li + li { margin-top: 1px; }
.icon { flex: none; width: 1rem; height: 1rem; fill: none; stroke: currentColor; stroke-width: 1.4; stroke-linecap: round; stroke-linejoin: round; }
.side nav a:not([aria-current]) .icon { color: var(--soft); }
.person { padding: .75rem .625rem 0; border-top: 1px solid var(--rule); font-size: .8125rem; }
.person .soft { margin-left: .375rem; }
@media (min-width: 80rem) {
  .side { position: sticky; top: 0; flex-direction: column; align-items: stretch; gap: 1.25rem; height: 100vh; padding: 1.125rem .75rem 1rem; border-right: 1px solid var(--rule); border-bottom: 0; }
  .side .brand { flex: none; padding-inline: .625rem; }
  .side .menu { display: none; }
  .menu-content { position: static; display: flex; flex: 1; justify-content: space-between; padding: 0; overflow: auto; }
}
main { width: 100%; max-width: 96rem; min-width: 0; padding: 1.25rem 1rem 2rem; container-type: inline-size; }
@media (min-width: 80rem) { body:has(> .side) > main { padding: 1.5rem 1.5rem 2rem; } }
.head { display: flex; flex-wrap: wrap; align-items: end; justify-content: space-between; gap: .75rem 1rem; margin-bottom: 1.25rem; }
.head > :first-child { min-width: 0; }
.above { margin-bottom: .125rem; font-size: .8125rem; }
.above::before { content: '← '; color: var(--soft); }
.actions, .actions .row-actions { display: flex; flex-wrap: wrap; gap: .5rem; }
.actions .button.small { min-height: 2rem; padding: .25rem .75rem; font-size: inherit; }
.banner { margin-bottom: 1rem; padding: .5rem .75rem; border-radius: var(--radius); background: var(--warn-ground); color: var(--warn); overflow-wrap: anywhere; }
.foot { margin-top: 1.5rem; color: var(--soft); font-size: .8125rem; }
.live-state { margin-left: .75rem; }
[data-live-state=live]::before { content: ''; display: inline-block; width: .4375rem; height: .4375rem; margin-right: .375rem; border-radius: 50%; background: var(--good); }
[data-live-state=ended] { color: var(--bad); font-weight: 600; }
`;
