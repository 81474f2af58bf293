import { BASE } from './base.js';
import { CATALOGUE } from './catalogue.js';
import { CHART } from './chart.js';
import { CONTROLS } from './controls.js';
import { FORMS } from './forms.js';
import { FRAME } from './frame.js';
import { LISTS } from './lists.js';
import { TABLE } from './table.js';
import { TOKENS } from './tokens.js';

/** The style of all pages. */
export const STYLE = [TOKENS, BASE, CONTROLS, FRAME, TABLE, LISTS, FORMS, CATALOGUE, CHART].join('');
