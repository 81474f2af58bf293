import { hideSecrets } from '../../contract/secrets.js';
import { makeJsonVisible, makeOneLine } from '../../contract/visible.js';
import type { Sink } from '../terminal/sink.js';
import type { Style } from '../terminal/style.js';
import type { Cell, Column } from './table.js';

type PropertyValue = string | number | boolean | null | undefined;
export type Property = readonly [name: string, value: PropertyValue | WrittenValue];
/** Prose is folded, a line is one whatever is in it, a state has its colour; see Cell. */
type WrittenValue = {
  readonly prose?: string | null | undefined;
  readonly line?: string | null | undefined;
  readonly state?: string | null | undefined;
};

/** The printer of commands: results go to standard output, everything else to standard error. */
export interface Output {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** To standard output as it is. */
  text(text: string | Uint8Array): Promise<void>;
  /** The same, with an empty line between two such texts that are not empty. */
  textApart(text: string | Uint8Array): Promise<void>;
  /** One JSON document and a newline; indented on a terminal unless `compact`. */
  json(value: unknown, options?: { compact?: boolean }): Promise<void>;
  /** Returns the text that `json` writes. */
  renderJson(value: unknown, options?: { compact?: boolean }): string;
  table(columns: readonly Column[], rows: ReadonlyArray<readonly Cell[]>): Promise<void>;
  /** A thing's properties, one a row: those without a value are left out. */
  properties(rows: ReadonlyArray<Property>): Promise<void>;
  /** Returns the text that `table` writes. */
  renderTable(columns: readonly Column[], rows: ReadonlyArray<readonly Cell[]>): Promise<string>;
  /**
   * One line on standard error, for people; silent with --quiet and --json. On a terminal that is narrower it goes on,
   * indented, at a `·` or between names that it lists.
   */
  note(message: string): void;
  /** One line on standard error with --debug. */
  debug(message: string): void;
}

export interface OutputOptions {
  stdout: Sink;
  stderr: Sink;
  stdoutStyle: () => Promise<Style>;
  isJson: boolean;
  isQuiet: boolean;
  isDebug: boolean;
}

export function createOutput(options: OutputOptions): Output {
  const { stdout, stderr, isJson, isQuiet, isDebug } = options;
  const renderJson = (value: unknown, { compact = false } = {}): string => {
    const text = JSON.stringify(value, null, stdout.isTerminal && !compact ? 2 : 0);
    return `${stdout.isTerminal ? makeJsonVisible(text) : text}\n`;
  };
  const renderTable: Output['renderTable'] = async (columns, rows) => {
    const table = await import('./table.js');
    return await table.renderTable(columns, rows, stdout, options.stdoutStyle);
  };
  const line = (message: string, width = Number.POSITIVE_INFINITY): void => {
    void stderr.write(`${breakNote(hideSecrets(makeOneLine(message)), width)}\n`);
  };
  let isTextBefore = false;
  return {
    isJson,
    isQuiet,
    text: async (text) => await stdout.write(text),
    textApart: async (text) => {
      if (text.length === 0) return;
      if (isTextBefore) await stdout.write('\n');
      isTextBefore = true;
      await stdout.write(text);
    },
    json: async (value, how) => await stdout.write(renderJson(value, how)),
    renderJson,
    table: async (columns, rows) => await stdout.write(await renderTable(columns, rows)),
    properties: async (rows) => {
      const known = rows.flatMap(([name, value]): Cell[][] => {
        if (typeof value !== 'object' || value === null) return value == null ? [] : [[name, String(value)]];
        const { prose, line, state } = value;
        if (prose != null) return [[name, { prose }]];
        if (state != null) return [[name, { state }]];
        return line == null ? [] : [[name, { line }]];
      });
      await stdout.write(await renderTable(['', ''], known));
    },
    renderTable,
    note(message) {
      if (!isQuiet && !isJson) line(message, stderr.isTerminal ? stderr.columns : undefined);
    },
    debug(message) {
      if (isDebug) line(`debug: ${message}`);
    },
  };
}

const FACT = ' · ';
/** Names are listed after a colon; before it a comma is one of a sentence. */
const BETWEEN_NAMES = /(?<=: .*,) /;

/** Breaks a note between its facts or names alone: what is copied from it, such as a command, stays whole. */
function breakNote(text: string, width: number): string {
  const hasFacts = text.includes(FACT);
  const separator = hasFacts ? FACT : ' ';
  const [first = '', ...rest] = text.split(hasFacts ? FACT : BETWEEN_NAMES);
  const lines = [first];
  for (const part of rest) {
    const longer = `${lines.at(-1)}${separator}${part}`;
    if ([...longer].length <= width) lines[lines.length - 1] = longer;
    else lines.push(`  ${part}`);
  }
  return lines.join('\n');
}
