/** The catalogue of functions: search and descriptions. */
export const CATALOGUE = `
.search { display: flex; gap: .5rem; max-width: 32rem; margin-bottom: 1rem; }
.search .button.plain { margin: 0; align-self: center; }
.panel > .title { padding: .875rem .875rem .25rem; }
.panel + .panel { margin-top: 1.25rem; }
tr:has(> .prose) > td { vertical-align: baseline; padding-block: .5rem; }
td.prose { line-height: 1.5; }
td.prose code { overflow-wrap: anywhere; }
`;
