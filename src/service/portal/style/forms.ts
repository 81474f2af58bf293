/** Forms of their own page, groups of boxes and actions of rows. */
export const FORMS = `
.form { max-width: 40rem; }
.form > * + * { margin-top: 1rem; }
.form > :empty { margin: 0; }
.form ~ .section { max-width: 40rem; }
form.form > [type=hidden] + .field { margin-top: 0; }
.form .notice { margin-bottom: 0; }
.pairs { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(15rem, 100%), 1fr)); gap: 1rem; }
.links { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(11rem, 100%), 1fr)); gap: .5rem 1rem; }
.buttons.start { justify-content: flex-start; }
.checks { margin-inline: 0; padding: 0; border: 0; }
.checks legend { padding: 0; }
.checks .hint { margin-top: 0; }
.boxes { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(15rem, 100%), 1fr)); gap: .125rem .75rem; margin-top: .375rem; }
.field.checks .boxes label { display: flex; align-items: center; gap: .5rem; min-height: 1.75rem; margin: 0; font-weight: 400; }
.boxes input { flex: none; width: 1rem; height: 1rem; margin: 0; accent-color: var(--accent); }
.word { min-width: 0; overflow-wrap: anywhere; }
.section > form { margin-top: .75rem; }
.part { margin-block: 1.25rem; }
section > .head { margin-bottom: .75rem; align-items: center; }
.row-actions { display: inline-flex; flex-wrap: wrap; gap: .375rem; }
@media (min-width: 75rem) { .row-actions { flex-wrap: nowrap; } }
.button.small { min-height: 1.625rem; padding: .0625rem .5rem; font-size: .75rem; }
`;
