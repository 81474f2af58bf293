import { BASE } from './base.js';
import { CATALOGUE } from './catalogue.js';
import { CHART } from './chart.js';
import { CONTROLS } from './controls.js';
import { COURSE } from './course.js';
import { DOOR } from './door.js';
import { FIGURES } from './figures.js';
import { FORMS } from './forms.js';
import { FRAME } from './frame.js';
import { LISTS } from './lists.js';
import { PANELS } from './panels.js';
import { TABLE } from './table.js';
import { THINGS } from './things.js';
import { TOKENS } from './tokens.js';
import { TRY_FORM } from './try-form.js';
import { TRY_RESULT } from './try-result.js';

/** Style sheets by their names: that of all pages, and those that single pages have beside it. */
export const STYLES = {
  'portal.css': compact([TOKENS, BASE, CONTROLS, FRAME, PANELS, TABLE, THINGS, FORMS, CATALOGUE].join('')),
  'chart.css': compact(CHART),
  'course.css': compact(COURSE),
  'door.css': compact(DOOR),
  'figures.css': compact(FIGURES),
  'lists.css': compact(LISTS),
  'try-form.css': compact(TRY_FORM),
  'try-result.css': compact(TRY_RESULT),
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
