// npm run docs: writes the pages that are made from the command tree, docs/reference.md and docs/help.txt
import { writeFileSync } from 'node:fs';
import { createProgram } from '../../src/cli.js';
import { renderReference } from './render-reference.js';

const tree = await createProgram(async () => {}).describe();
writeFileSync(new URL('../reference.md', import.meta.url), renderReference(tree));

// docs/help.txt holds the output of `ocr --help` in a pipe. bin/ocr.js prints it without loading anything.
let help = '';
await createProgram(async () => {}).run(['--help'], async (text) => {
  help += text;
});
writeFileSync(new URL('../help.txt', import.meta.url), help);
