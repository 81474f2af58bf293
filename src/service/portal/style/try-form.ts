/** The form of Try it. */
export const TRY_FORM = `
.columns > * { margin-top: 0; }
.arguments { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: 1.125rem 1.5rem; align-content: start; min-width: 0; margin: 0; padding: .875rem 1.125rem 1.25rem; }
.arguments > legend { float: left; padding: 0; grid-column: 1 / -1; width: 100%; font-size: .9375rem; font-weight: 650; }
.arguments .checks { grid-column: 1 / -1; }
.switch { display: grid; grid-template-columns: 1rem minmax(0, 1fr); align-items: center; align-content: start; gap: 0 .5rem; }
.switch input { width: 1rem; height: 1rem; margin: 0; accent-color: var(--accent); }
.switch label { margin: 0; padding: .125rem 0; }
.switch p { grid-column: 2; margin-top: 0; }
.file > label { margin-bottom: .625rem; font-size: .9375rem; font-weight: 650; }
input[type=file] { padding: 1.25rem 1rem !important; border: 1.5px dashed var(--control) !important; border-radius: 8px !important; background: var(--raised) !important; color: var(--soft); cursor: pointer; }
input[type=file]:hover { border-color: var(--accent) !important; }
::file-selector-button { display: block; min-height: 2rem; margin: 0 0 .5rem; padding: .25rem .75rem; border: 1px solid var(--edge); border-radius: var(--radius); background: var(--panel); color: var(--ink); font: inherit; font-weight: 550; cursor: pointer; }
.run { margin-top: 1rem; }
.run .button { width: 100%; min-height: 2.25rem; margin-bottom: .5rem; }
.run .soft { font-size: .8125rem; }
[aria-disabled=true] { opacity: .65; cursor: default; }
`;
