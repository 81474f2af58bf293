/** Pages for somebody without a session. */
export const DOOR = `
.bare { display: grid; min-height: 100vh; max-width: none; place-items: center; }
.card { width: min(24rem, 100%); padding: 1.75rem; border: 1px solid var(--rule); border-radius: 10px; background: var(--panel); box-shadow: 0 4px 24px light-dark(rgb(20 30 45 / .07), rgb(0 0 0 / .3)); }
.card .brand { margin-bottom: 1.25rem; }
.card h1 { margin-bottom: .75rem; font-size: 1.25rem; }
.card .button.main, .card .button.wide { width: 100%; min-height: 2.25rem; }
.card p > a.button { text-decoration: none; }
.or { display: flex; align-items: center; gap: .75rem; margin-block: 1rem; color: var(--soft); font-size: .8125rem; }
.or::before, .or::after { content: ''; flex: 1; border-top: 1px solid var(--rule); }
`;
