/** The style of a page. One accent colour; unsure words have a ground and a dotted line, never colour alone. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f4f5f7;
  --panel: #fff;
  --ink: #1b2430;
  --soft: #56616f;
  --rule: #dde1e7;
  --accent: #1857c4;
  --accent-ground: #e3edfd;
  --unsure: #fdeebb;
  --unsure-rule: #946200;
  --bar: 3.5rem;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #12161c;
    --panel: #1a2028;
    --ink: #e4e8ee;
    --soft: #9ba7b6;
    --rule: #2d3642;
    --accent: #86b4ff;
    --accent-ground: #1f3556;
    --unsure: #453708;
    --unsure-rule: #e3b341;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: calc(var(--bar) + 1rem); -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
h1, h2, h3, h4, h5, h6, p, ul, ol, pre { margin: 0; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
mark { background: var(--unsure); color: inherit; border-bottom: 2px dotted var(--unsure-rule); padding: 0 .1em; }

.skip { position: absolute; left: 1rem; top: -4rem; z-index: 3; padding: .5rem .75rem; background: var(--panel); color: var(--accent); border-radius: 4px; }
.skip:focus { top: .5rem; }

.bar { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem; min-height: var(--bar); padding: .5rem 1.5rem; background: var(--panel); border-bottom: 1px solid var(--rule); }
.name { flex: 1 1 16rem; min-width: 0; }
.name h1 { font-size: 1rem; line-height: 1.3; font-weight: 650; overflow-wrap: anywhere; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden; }
.name p, .head p { color: var(--soft); font-size: .8125rem; line-height: 1.35; }
.tools { display: flex; flex-wrap: wrap; align-items: center; gap: .375rem 1.25rem; font-size: .875rem; max-width: 100%; }
.tools nav { display: flex; align-items: center; gap: .5rem; min-width: 0; max-width: 26rem; color: var(--soft); }
.tools ol { display: flex; min-width: 0; padding: 3px; overflow-x: auto; list-style: none; scrollbar-width: thin; }
.tools li a { display: block; min-width: 1.75rem; padding: .125rem .375rem; border-radius: 4px; color: var(--accent); text-align: center; text-decoration: none; font-variant-numeric: tabular-nums; }
.tools li a:hover { background: var(--accent-ground); }
.unsure-tools { display: flex; align-items: center; gap: .25rem; }
.unsure-tools > span:first-child { margin-right: .25rem; }
#unsure-place { min-width: 3.5rem; color: var(--soft); font-variant-numeric: tabular-nums; }
button { min-width: 1.75rem; min-height: 1.75rem; border: 1px solid var(--rule); border-radius: 4px; background: var(--panel); color: var(--accent); font: inherit; cursor: pointer; }
button:hover { background: var(--accent-ground); }
.switch { display: flex; align-items: center; gap: .375rem; min-height: 1.75rem; cursor: pointer; }
.switch input { width: 1rem; height: 1rem; margin: 0; accent-color: var(--accent); }

main { max-width: 90rem; margin: 0 auto; padding: 1.5rem; }
.notes { margin-bottom: 1.5rem; padding: .75rem 1rem; border: 1px solid var(--rule); border-left: 3px solid var(--accent); border-radius: 4px; background: var(--panel); font-size: .9375rem; overflow-wrap: anywhere; }
.notes p + p { margin-top: .375rem; }

.page { display: grid; grid-template: auto 1fr / minmax(0, min(50%, calc((100vh - 6rem) * .76))) minmax(0, 1fr); gap: .5rem 2rem; align-items: start; margin-bottom: 2.5rem; }
.head { grid-column: 1 / -1; display: flex; align-items: baseline; gap: .75rem; }
.head h2 { font-size: .9375rem; font-weight: 650; }

.sheet { position: sticky; top: calc(var(--bar) + 1rem); }
.frame { position: relative; width: fit-content; max-width: 100%; border-radius: 3px; background: #fff; box-shadow: 0 0 0 1px var(--rule), 0 2px 10px rgb(0 0 0 / .09); }
.frame img { display: block; width: auto; height: auto; max-width: 100%; max-height: calc(100vh - var(--bar) - 2.5rem); border-radius: 3px; }
.boxes, .print { position: absolute; inset: 0; width: 100%; height: 100%; }
.print text { fill: #2a323d; font-family: system-ui, sans-serif; }
.boxes rect { fill: transparent; stroke: #1857c4; stroke-opacity: .28; stroke-width: 1; vector-effect: non-scaling-stroke; rx: 1px; }
.boxes [data-box] { cursor: pointer; }
.boxes .figure { stroke: #56616f; stroke-dasharray: 4 3; }
.boxes .unsure { fill: #ffce3a; fill-opacity: .38; stroke: #946200; stroke-opacity: .9; stroke-dasharray: 2 2; }
body:has(#show-boxes:not(:checked)) .boxes rect:not(.shown) { stroke-opacity: 0; fill-opacity: 0; }
.boxes .shown { fill: #1857c4; fill-opacity: .16; stroke-opacity: 1; stroke-width: 2; }

.text { padding: 1.5rem 1.75rem; border-radius: 3px; background: var(--panel); box-shadow: 0 0 0 1px var(--rule); overflow-wrap: anywhere; max-width: 46rem; }
.text > * + * { margin-top: .75rem; }
.text :is(h3, h4, h5, h6) { font-size: 1rem; line-height: 1.35; }
.text .level-1 { font-size: 1.375rem; line-height: 1.3; }
.text .level-2 { font-size: 1.125rem; }
.text > * + :is(h3, h4, h5, h6) { margin-top: 1.25rem; }
.text ul { padding: 0; list-style: none; }
.text li { padding-left: 1rem; text-indent: -1rem; }
.text li + li { margin-top: .25rem; }
.piece { border-radius: 2px; }
.piece.shown { background: var(--accent-ground); box-shadow: 0 0 0 2px var(--accent-ground); }
.piece:focus-visible { outline-offset: 1px; }
mark.shown { outline: 2px solid var(--unsure-rule); outline-offset: 1px; border-radius: 2px; }
.running, .footnote, .figure, .empty { color: var(--soft); font-size: .875rem; }
p.figure { padding: .5rem .75rem; border: 1px dashed var(--rule); border-radius: 3px; }
.plain, .rest pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere; }
.rest pre { padding: 1.25rem 1.5rem; border-radius: 3px; background: var(--panel); box-shadow: 0 0 0 1px var(--rule); font: .875rem/1.5 ui-monospace, monospace; }
.table { overflow-x: auto; margin-inline: -.25rem; padding: .25rem; }
.table table { border-collapse: collapse; font-size: .875rem; line-height: 1.4; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
.table td { padding: .375rem .625rem; border: 1px solid var(--rule); vertical-align: top; }
.table tr:first-child td { font-weight: 600; border-bottom-width: 2px; }

@media (max-width: 52rem) {
  .bar { position: static; padding: .625rem 1rem; }
  :root { --bar: 0rem; }
  .name { flex-basis: 100%; }
  .tools nav { max-width: 100%; }
  main { padding: 1rem; }
  .page { grid-template: auto auto auto / minmax(0, 1fr); gap: .5rem; margin-bottom: 2rem; }
  .sheet { top: 0; z-index: 1; max-height: 46vh; overflow: auto; margin-inline: -1rem; padding: .5rem 1rem; background: var(--ground); border-bottom: 1px solid var(--rule); }
  .frame { margin: 0 auto; }
  .frame img { max-height: none; }
  .text { padding: 1rem; max-width: none; }
  html { scroll-padding-top: 47vh; }
}
@media (max-width: 52rem) and (max-height: 30rem) {
  .sheet { position: static; max-height: none; }
  html { scroll-padding-top: 1rem; }
}
@media print {
  .bar, .skip { display: none; }
  .sheet { position: static; }
  .page { break-inside: avoid; }
}
`;
