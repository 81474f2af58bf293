/** Text, links and what every element has. */
export const BASE = `
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: .875rem/1.5 -apple-system, 'Segoe UI', Roboto, Cantarell, 'Noto Sans', Helvetica, Arial, sans-serif; font-variant-numeric: tabular-nums; }
h1, h2, h3, p, ul, ol, dl, dd, pre, figure { margin: 0; padding: 0; }
h1 { font-size: 1.375rem; line-height: 1.3; font-weight: 650; letter-spacing: -.012em; overflow-wrap: anywhere; text-wrap: balance; }
h2 { font-size: .9375rem; line-height: 1.4; font-weight: 650; }
ul, ol { list-style: none; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; text-underline-offset: 2px; }
main p a { text-decoration: underline; text-underline-offset: 2px; text-decoration-color: color-mix(in srgb, currentColor 45%, transparent); }
code, pre, .id { font-family: var(--mono); font-size: .9285em; }
bdi { overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
main:focus { outline: none; }
[hidden] { display: none !important; }
.soft { color: var(--soft); }
.hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -5rem; z-index: 5; padding: .5rem .75rem; border-radius: var(--radius); background: var(--panel); box-shadow: 0 0 0 1px var(--edge); }
.skip:focus { top: .75rem; }
.stack > * + * { margin-top: 1rem; }
@media (forced-colors: active) {
  .badge::before, .mark, .steps li::before, [data-live-state]::before { forced-color-adjust: none; }
  [aria-current] { outline: 1px solid; outline-offset: -1px; }
}
@media (prefers-reduced-motion: no-preference) {
  a, button, tr { transition: background-color .12s, border-color .12s, color .12s; }
}
`;
