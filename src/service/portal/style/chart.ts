/** Charts with their legends. */
export const CHART = `
.legend { font-size: .8125rem; }
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
`;
