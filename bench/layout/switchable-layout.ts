import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript-api';
import type { Block } from '../../src/engine/model/document.js';
import type { PageInput } from '../../src/engine/stages/layout/lay-out-document.js';
import { ROOT } from '../ocr-command.js';
import { findRules, type Rule } from './find-rules.js';
import { insertAll } from './insertions.js';
import { RuleSwitches } from './switches.js';

export interface SwitchableLayout {
  rules: Rule[];
  switches: RuleSwitches;
  layOutDocument(pages: readonly PageInput[]): Block[][];
  remove(): void;
}

const LAYOUT = 'src/engine/stages/layout/';
const CONFIG = join(ROOT, 'tsconfig.json');

/** Compiles the layout with a switch at every rule, into a copy of the built engine, and loads it. */
export async function loadSwitchableLayout(): Promise<SwitchableLayout> {
  const folder = join(ROOT, `node_modules/.cache/layout-bench-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  cpSync(join(ROOT, 'dist/engine'), join(folder, 'engine'), { recursive: true });
  const { fileNames, options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(CONFIG, (path) => readFileSync(path, 'utf8')).config,
    ts.sys,
    ROOT,
  );
  const program = ts.createProgram(fileNames, options);
  const checker = program.getTypeChecker();
  const rules: Rule[] = [];
  for (const source of program.getSourceFiles()) {
    const file = relative(ROOT, source.fileName);
    if (!file.startsWith(LAYOUT)) continue;
    const found = findRules(source, file, checker, rules.length);
    rules.push(...found.rules);
    const switchable = `const __rules = globalThis.layoutRules;\n${insertAll(source.text, found.insertions)}`;
    const { outputText } = ts.transpileModule(switchable, {
      compilerOptions: options,
      fileName: source.fileName,
    });
    writeFileSync(join(folder, file.replace(/^src\//, '').replace(/\.ts$/, '.js')), outputText);
  }
  const switches = new RuleSwitches(rules.length);
  (globalThis as { layoutRules?: RuleSwitches }).layoutRules = switches;
  const entry = join(folder, LAYOUT.replace(/^src\//, ''), 'lay-out-document.js');
  const { layOutDocument } = (await import(pathToFileURL(entry).href)) as Pick<SwitchableLayout, 'layOutDocument'>;
  return { rules, switches, layOutDocument, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
