/** A result of Try it beside its page, and the page that waits for it. */
export const TRY_RESULT = `
.beside > .panel { margin-top: 0; }
progress { width: min(20rem, 100%); height: .5rem; margin: .75rem 0; accent-color: var(--accent); }
.beside { display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr); align-items: start; }
@container (min-width: 60rem) {
  .beside { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .sheet { position: sticky; top: 1rem; }
  .lines, .outcome pre { max-height: calc(100vh - 9rem); overflow: auto; }
}
.page-links, .tabs { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem; min-height: 3rem; padding: .5rem .875rem; border-bottom: 1px solid var(--rule); }
.page-links { font-weight: 550; }
.page-links [aria-hidden] { opacity: .4; box-shadow: none; cursor: default; }
.sheet .quiet, .result .quiet { padding-block: 1rem; }
.paper { position: relative; width: fit-content; max-width: calc(100% - 1.75rem); margin: .875rem auto; border: 1px solid var(--rule); background: #fff; box-shadow: 0 2px 10px light-dark(rgb(20 30 45 / .1), rgb(0 0 0 / .5)); }
.paper img { display: block; max-width: 100%; width: auto; height: auto; max-height: calc(100vh - 9rem); }
.marks { position: absolute; inset: 0; width: 100%; height: 100%; }
.marks rect { fill: transparent; stroke: #1857c4; stroke-opacity: .35; vector-effect: non-scaling-stroke; }
.marks a:is([data-marked], :focus, :target) rect, .marks:not(:has([data-marked])) a:hover rect { fill: rgb(24 87 196 / .2); stroke-opacity: 1; stroke-width: 2; }
.marks a:focus { outline: none; }
.lines { position: relative; padding: .5rem; line-height: 1.45; }
.lines a { display: block; padding: .125rem .5rem; border-left: 2px solid transparent; border-radius: 3px; color: inherit; overflow-wrap: anywhere; unicode-bidi: plaintext; }
.lines .first + .first, .lines .first:not(:first-child) { margin-top: .5rem; }
.lines a:is([data-marked], :focus, :target), .lines:not(:has([data-marked])) a:hover { border-left-color: var(--accent); background: var(--accent-ground); text-decoration: none; }
.lines :is(.title, .heading) { font-weight: 650; }
.lines :is(.header, .footer, .footnote) { color: var(--soft); font-size: .8125rem; }
.empty .button { margin-top: .75rem; }
.outcome { display: flex; align-items: flex-start; gap: .25rem; padding: .5rem; }
.outcome pre { flex: 1; min-width: 0; padding: .375rem; font-size: .75rem; line-height: 1.6; white-space: pre-wrap; overflow-wrap: anywhere; }
.grid { overflow: auto; max-height: calc(100vh - 9rem); padding: .25rem .875rem 1rem; }
.grid caption { padding: .5rem 0; font-weight: 650; }
.grid caption .soft { font-weight: 400; }
.grid td { height: auto; padding: .3125rem .5rem !important; border: 1px solid var(--rule) !important; vertical-align: top; }
.grid th { padding-inline: .5rem !important; border: 1px solid var(--rule); }
`;
