/** Facts and code of one thing. */
export const THINGS = `
.lead { max-width: 44rem; margin-bottom: 1rem; color: var(--soft); }
.subject { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; margin-bottom: 1.25rem; }
.columns { display: grid; gap: 1.25rem; grid-template-columns: minmax(0, 1fr); }
@container (min-width: 60rem) { .columns { grid-template-columns: minmax(0, 1fr) 21rem; align-items: start; } }
.section { padding: 1rem 1.125rem; }
.section + .section { margin-top: 1.25rem; }
.section > h2 { margin-bottom: .625rem; }
.facts { display: grid; grid-template-columns: minmax(5.5rem, min(24%, 10rem)) minmax(0, 1fr); font-size: .8125rem; }
.facts > * { padding: .3125rem 0; border-top: 1px solid var(--rule); }
.facts > dt:first-of-type, .facts > dd:first-of-type { border-top: 0; }
.facts dt { padding-right: .75rem; color: var(--soft); }
.facts dd { overflow-wrap: anywhere; }
.facts .copy { margin-block: -.1875rem; }
.code { display: flex; align-items: flex-start; gap: .5rem; padding: .5rem .5rem .5rem .75rem; border: 1px solid var(--rule); border-radius: var(--radius); background: var(--ground); }
.code pre { flex: 1; min-width: 0; overflow-wrap: anywhere; white-space: pre-wrap; font-size: .75rem; line-height: 1.6; }
`;
