// npm run docs     writes what is made from the command tree: docs/reference.md
import { writeFileSync } from 'node:fs';
import { createProgram } from '../../src/cli.js';
import { renderReference } from './render-reference.js';

const tree = await createProgram(async () => {}).describe();
writeFileSync(new URL('../reference.md', import.meta.url), renderReference(tree));
