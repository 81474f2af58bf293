/** Buttons, fields, notices and dialogs. */
export const CONTROLS = `
.button { display: inline-flex; align-items: center; justify-content: center; gap: .375rem; min-height: 2rem; padding: .25rem .75rem; border: 1px solid var(--edge); border-radius: var(--radius); background: var(--panel); color: var(--ink); font: inherit; font-weight: 550; line-height: 1.2; white-space: nowrap; cursor: pointer; box-shadow: var(--shadow); }
.button:hover { border-color: var(--control); background: var(--raised); text-decoration: none; }
.button.main { border-color: transparent; background: var(--accent); color: var(--on-accent); }
.button.main:hover { background: color-mix(in srgb, var(--accent) 88%, var(--ink)); }
.button.danger { border-color: transparent; background: var(--bad); color: light-dark(#fff, #2b0a07); }
.button.danger:hover { background: color-mix(in srgb, var(--bad) 88%, var(--ink)); }
.button.plain { min-height: 1.5rem; padding: 0 .25rem; margin-inline: calc(-.25rem - 1px); border-color: transparent; background: none; box-shadow: none; color: var(--soft); font-weight: 450; }
.button.plain:hover { color: var(--accent); }
main p .button, .actions a.button { text-decoration: none; }

.field { min-width: 0; }
.field label, .field legend { display: block; margin-bottom: .25rem; font-size: .8125rem; font-weight: 550; }
input:not([type=checkbox], [type=radio], [type=hidden]), select, textarea { width: 100%; min-width: 0; min-height: 2rem; padding: .25rem .5rem; border: 1px solid var(--control); border-radius: var(--radius); background: var(--panel); color: inherit; font: inherit; line-height: 1.4; }
input::placeholder { color: var(--soft); opacity: 1; }
input:focus-visible, select:focus-visible, textarea:focus-visible { outline-offset: 0; border-color: var(--accent); border-radius: var(--radius); }
[aria-invalid] { border-color: var(--bad) !important; }
.hint { margin-top: .25rem; color: var(--soft); font-size: .8125rem; }
.error { margin-top: .25rem; color: var(--bad); font-size: .8125rem; font-weight: 500; overflow-wrap: anywhere; }

.notice { margin-bottom: 1.25rem; padding: .625rem .875rem; border: 1px solid var(--rule); border-left: 3px solid var(--accent); border-radius: var(--radius); background: var(--panel); overflow-wrap: anywhere; }
.notice.good { border-left-color: var(--good); }
.notice.bad { border-left-color: var(--bad); }
.notice.warn { border-left-color: var(--warn); }
.notice a { color: inherit; text-decoration: underline; text-underline-offset: 2px; }

dialog { width: min(30rem, calc(100vw - 2rem)); padding: 1.25rem 1.5rem 1.5rem; border: 1px solid var(--edge); border-radius: 10px; background: var(--panel); color: inherit; box-shadow: 0 12px 40px rgb(0 0 0 / .22); }
dialog::backdrop { background: rgb(10 15 25 / .45); }
dialog h2 { margin-bottom: .5rem; font-size: 1.0625rem; }
.question > * + * { margin-top: .75rem; }
.buttons { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: .5rem; }
main > .question { max-width: 36rem; padding: 1.25rem 1.5rem; border: 1px solid var(--rule); border-radius: var(--radius); background: var(--panel); }
`;
