/** The course of one thing: its steps, and what was answered. */
export const COURSE = `
.steps { font-size: .8125rem; }
.steps li { position: relative; display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 .75rem; padding: .25rem 0 .25rem 1.375rem; }
.steps li::before { content: ''; position: absolute; left: .1875rem; top: .5625rem; z-index: 1; width: .5625rem; height: .5625rem; border: 2px solid var(--accent); border-radius: 50%; background: var(--accent); }
.steps li.open::before { background: var(--panel); border-color: var(--control); }
.steps li.bad::before { border-color: var(--bad); border-radius: 2px; background: var(--bad); rotate: 45deg; }
.steps li:not(:last-child)::after { content: ''; position: absolute; left: .4375rem; top: .75rem; bottom: -.75rem; width: 1.5px; background: var(--edge); }
.steps .took { flex-basis: 100%; color: var(--soft); }
.answer { display: block; max-height: 8rem; overflow: auto; font-family: var(--mono); font-size: .75rem; white-space: pre-wrap; overflow-wrap: anywhere; }
`;
