/** Figures, charts and the choices above them. */
export const CHART = `
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(9.5rem, 100%), 1fr)); margin-bottom: 1.25rem; }
.figures > div { padding: .875rem; }
.figures dt { color: var(--soft); font-size: .8125rem; }
.figures .figure { font-size: 1.375rem; font-weight: 600; line-height: 1.4; letter-spacing: -.012em; }
.figures .soft { font-size: .8125rem; }
.meter { display: block; width: 100%; height: .375rem; margin-top: .5rem; border-radius: 1rem; fill: var(--accent); }
.meter .whole { fill: var(--rule); }
.meter.warn { fill: var(--warn); }
.meter.bad { fill: var(--bad); }
.title { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between; gap: 0 .75rem; }
.title p, .legend { font-size: .8125rem; }
.chart { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .375rem .625rem; padding: .75rem .875rem .25rem; color: var(--soft); font-size: .75rem; line-height: 1; }
.chart svg { width: 100%; height: 11rem; overflow: visible; }
.scale { display: flex; flex-direction: column; justify-content: space-between; margin-block: -.375rem; text-align: right; }
.chart .span { display: flex; grid-column: 2; justify-content: space-between; }
.chart line { stroke: var(--rule); vector-effect: non-scaling-stroke; }
.chart .level { stroke: var(--ink); stroke-dasharray: 5 4; }
.reach { fill: transparent; }
.bar { fill: var(--accent); }
.bar.open { fill: var(--accent-ground); stroke: var(--accent); stroke-width: 1.5; vector-effect: non-scaling-stroke; }
g:hover > .reach { fill: var(--accent-ground); }
.legend { padding: .5rem .875rem .875rem; color: var(--soft); }
.of-level::before { content: ''; display: inline-block; width: 1.25rem; margin-right: .5rem; border-top: 1.5px dashed var(--ink); vertical-align: middle; }
.legend summary { width: max-content; min-height: 1.5rem; margin-top: .25rem; color: var(--accent); cursor: pointer; }
.halves { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 1.25rem; margin-top: 1.25rem; align-items: start; }
.halves > * { margin: 0 !important; }
.quiet { padding: .5rem .875rem 1rem; color: var(--soft); }
.choices { display: flex; flex-wrap: wrap; gap: 2px; padding: 2px; border: 1px solid var(--edge); border-radius: 8px; background: var(--panel); }
.choices a { padding: .1875rem .625rem; border-radius: var(--radius); color: var(--soft); font-weight: 500; }
.choices a[aria-current] { background: var(--accent-ground); color: var(--accent); }
.choices.tabs { gap: 1.25rem; margin-bottom: 1.25rem; padding: 0; border-width: 0 0 1px; border-color: var(--rule); border-radius: 0; background: none; }
.choices.tabs a { margin-bottom: -1px; padding: .375rem .125rem .5rem; border-bottom: 2px solid transparent; border-radius: 0; }
.choices.tabs a:hover { color: var(--ink); text-decoration: none; }
.choices.tabs a[aria-current] { border-color: var(--accent); background: none; color: var(--accent); }
`;
