/** Figures with their meters. */
export const FIGURES = `
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(9.5rem, 100%), 1fr)); margin-bottom: 1.25rem; }
.figures > div { padding: .75rem .875rem; }
.figures dt { color: var(--soft); font-size: .8125rem; }
.figures .figure { font-size: 1.25rem; font-weight: 600; line-height: 1.4; letter-spacing: -.012em; }
.figures .soft { font-size: .8125rem; }
.meter { display: block; width: 100%; height: .375rem; margin-top: .5rem; border-radius: 1rem; fill: var(--accent); }
.meter .whole { fill: var(--rule); }
.meter.warn { fill: var(--warn); }
.meter.bad { fill: var(--bad); }
.halves { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(30rem, 100%), 1fr)); gap: 1.25rem; margin-top: 1.25rem; align-items: start; }
.halves > * { margin: 0 !important; }
.use { display: inline-block; width: 6.5rem; }
.use .meter { height: .25rem; margin-top: .1875rem; }
`;
