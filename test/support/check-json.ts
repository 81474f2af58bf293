import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createProgram, readJsonFlag } from '../../dist/cli.js';

const directory = new URL('../../docs/schemas/', import.meta.url);
const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  strictRequired: false,
  validateFormats: false,
  allErrors: false,
});
for (const name of readdirSync(directory)) ajv.addSchema(JSON.parse(readFileSync(new URL(name, directory), 'utf8')));

/** Commands whose output is one document a line, or has a schema of another name. */
const SCHEMAS: Record<string, string> = {
  extract: 'document',
  watch: 'document',
  'jobs wait': 'document',
  'jobs result': 'document',
  'local start': 'local-status',
};
/** Commands that print text, or a protocol of their own, also with --json. */
const TEXTS = new Set(['help', 'local logs', 'mcp']);

/**
 * Holds what a command printed with --json against its schema in docs/schemas; does nothing for other output.
 * @throws Error that says what does not fit
 */
export async function checkJson(args: readonly string[], stdout: string): Promise<void> {
  const path = await commandOf(args);
  if (path === undefined) return;
  for (const line of stdout.split('\n').filter((text) => text !== '')) checkDocument(path, JSON.parse(line));
}

export function checkDocument(path: string, document: unknown): void {
  const name = SCHEMAS[path] ?? path.replaceAll(' ', '-');
  const validate = ajv.getSchema(`${name}.schema.json`);
  if (validate === undefined) throw new Error(`docs/schemas has no ${name}.schema.json for: ocr ${path} --json`);
  if (validate(document)) return;
  const shown = JSON.stringify(document).slice(0, 500);
  throw new Error(
    `ocr ${path} --json printed what docs/schemas/${name}.schema.json does not allow: ${ajv.errorsText(validate.errors)}\n${shown}`,
  );
}

/** Undefined where the command line does not ask for JSON, or for no command. */
async function commandOf(args: readonly string[]): Promise<string | undefined> {
  // Most don't, and need not be read.
  if (!readJsonFlag(args)) return undefined;
  let path: string | undefined;
  const program = createProgram(async ({ flags, path: typed, options }) => {
    if (!flags.json || TEXTS.has(typed)) return;
    path = 'printConfig' in options && options.printConfig === true ? 'serve-print-config' : typed;
  });
  try {
    await program.run([...args], async () => {});
  } catch {
    // A command line that is not understood has an error alone to print.
    return args.includes('--json') && !args.includes('--') ? 'error' : undefined;
  }
  return path;
}
