import { BASE } from './base.js';
import { CATALOGUE } from './catalogue.js';
import { CHART } from './chart.js';
import { CONTROLS } from './controls.js';
import { FIGURES } from './figures.js';
import { FORMS } from './forms.js';
import { FRAME } from './frame.js';
import { LISTS } from './lists.js';
import { TABLE } from './table.js';
import { TOKENS } from './tokens.js';
import { TRY_IT } from './try-it.js';

/** Style sheets by their names: that of all pages, and those that single pages have beside it. */
export const STYLES = {
  'portal.css': compact([TOKENS, BASE, CONTROLS, FRAME, TABLE, LISTS, FORMS, CATALOGUE, FIGURES].join('')),
  'chart.css': compact(CHART),
  'try-it.css': compact(TRY_IT),
} as const;

export type StyleName = keyof typeof STYLES;

/** Leaves spaces out that browsers do not need. A space after a colon or a comma is never in a selector where it counts, nor in a text. */
function compact(style: string): string {
  return style
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};]) ?/g, '$1')
    .replace(/([:,]) /g, '$1')
    .replaceAll(';}', '}')
    .trim();
}
