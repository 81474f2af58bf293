import type { Context } from '../context.js';
import { EXIT_MEANINGS } from '../contract/exit-codes.js';
import { OcrError } from '../contract/ocr-error.js';
import { suggest } from '../contract/suggest.js';
import { fold } from '../io/output/table.js';

export interface HelpOptions {
  topic: string;
  /** Names of commands, for suggestions. */
  commands: string[];
}

/** Parts of a topic, with an empty line between them: a paragraph, or terms with what they mean. */
type Part = string | readonly Meaning[];
type Meaning = readonly [term: string, meaning: string];

const ENVIRONMENT: readonly Part[] = [
  [
    ['OCR_BASE_URL', 'address of the service; without it, the service on this machine'],
    ['OCR_API_KEY', 'the key for that service'],
    ['OCR_PROFILE', 'the profile to use'],
    ['OCR_WEBHOOK_SECRET', 'the signing secret that ocr verify-webhook checks with'],
    ['OCR_CONFIG_DIR', 'where settings are stored'],
    ['OCR_STATE_DIR', 'where the record of submissions is stored'],
    ['OCR_DATA_DIR', 'where the service on this machine keeps its documents, jobs and keys'],
    ['OCR_CACHE_DIR', 'where ocr open keeps its pages for a week'],
    ['HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY', 'proxies; never used for the service on this machine'],
    ['NODE_EXTRA_CA_CERTS', 'a file with certificate authorities of your own'],
    ['NO_COLOR, FORCE_COLOR', 'no colours; colours even if the output is not a terminal'],
    ['CI', 'no progress line, even on a terminal'],
  ],
  'Flags override the environment, which overrides the profile. An empty variable counts as unset. The flag --profile local is the service on this machine, whatever OCR_BASE_URL and OCR_API_KEY say. Nothing is read from the working directory.',
];

const OUTPUT: readonly Part[] = [
  'Standard output is the result and nothing else; progress, notes and errors go to standard error.',
  'Text is printed as the service gave it, with a final newline. On a terminal its control characters are made visible.',
  '--json prints one JSON document for each input, on one line each in a pipe, in the order of the inputs. Its fields:',
  [
    ['a result', 'input, requestId, function, result, meta; of a completed job also jobId'],
    ['an unfinished job', 'input, requestId, jobId, status, statusUrl'],
    ['a failure', 'input, requestId, and error with code, message, requestId, retryable'],
    ['a skipped file', 'input, and skipped: its media type, or what it is; files of directories alone are skipped'],
  ],
  'Standard error is then empty, except with --debug.',
  '-o and --output-dir write what the function and --format give: text, Markdown, CSV, a PDF, or with --format json the document above. With --json, each line then has "output", the name of the file, instead of "result".',
  'Lists are tables on a terminal and tab-separated lines without a header elsewhere.',
];

const TOPICS: Record<string, readonly Part[]> = {
  environment: ENVIRONMENT,
  'exit-codes': [EXIT_MEANINGS.map(([code, meaning]): Meaning => [String(code).padStart(3), meaning])],
  output: OUTPUT,
};

/** Columns of the widest term that a meaning stands beside. */
const MAX_TERM_WIDTH = 19;
const GAP = 2;
/** Columns of a topic that goes to no terminal. */
const DEFAULT_WIDTH = 80;

function renderPart(part: Part, width: number): string {
  if (typeof part === 'string') return `${fold(part, width)}\n`;
  const column = GAP + Math.max(...part.map(([{ length }]) => length).filter((length) => length <= MAX_TERM_WIDTH));
  return part.map((meaning) => renderMeaning(meaning, column, width)).join('');
}

function renderMeaning([term, meaning]: Meaning, column: number, width: number): string {
  const beside = fold(meaning, width - column).split('\n');
  const isShort = term.length + GAP <= column;
  const lines = isShort ? beside.slice(1) : beside;
  const head = isShort ? `${term.padEnd(column)}${beside[0]}` : fold(term, width);
  return [head, ...lines.map((line) => ' '.repeat(column) + line)].map((line) => `${line}\n`).join('');
}

/** Prints a help topic. */ /** Prints a help topic. */
export async function help(context: Context, { topic, commands }: HelpOptions): Promise<void> {
  const parts = Object.hasOwn(TOPICS, topic) ? TOPICS[topic] : undefined;
  if (parts === undefined) {
    const near = suggest(topic, [...Object.keys(TOPICS), ...commands]);
    throw new OcrError('USAGE', `There is no help on "${topic}"`, {
      hint: near === undefined ? `Topics: ${Object.keys(TOPICS).join(', ')}` : `Did you mean ${near}?`,
    });
  }
  const { stdout } = context.io;
  const width = stdout.isTerminal ? stdout.columns : DEFAULT_WIDTH;
  await context.output.text(parts.map((part) => renderPart(part, width)).join('\n'));
}
