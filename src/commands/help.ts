import type { Context } from '../context.js';
import { EXIT_MEANINGS } from '../contract/exit-codes.js';
import { OcrError } from '../contract/ocr-error.js';
import { suggest } from '../contract/suggest.js';

export interface HelpOptions {
  topic: string;
  /** Names of commands, for suggestions. */
  commands: string[];
}

const ENVIRONMENT = `OCR_BASE_URL       address of the service; without it, the service on this machine
OCR_API_KEY        the key for that service
OCR_PROFILE        the profile to use
OCR_WEBHOOK_SECRET the signing secret that ocr verify-webhook checks with
OCR_CONFIG_DIR     where settings are stored
OCR_STATE_DIR      where the record of submissions is stored
OCR_DATA_DIR       where the service on this machine keeps its documents, jobs and keys
OCR_CACHE_DIR      where ocr open keeps its pages for a week
HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY
                   proxies; never used for the service on this machine
NODE_EXTRA_CA_CERTS
                   a file with certificate authorities of your own
NO_COLOR, FORCE_COLOR
                   no colours; colours even if the output is not a terminal
CI                 no progress line, even on a terminal

Flags override the environment, which overrides the profile. An empty variable counts as unset.
The flag --profile local is the service on this machine, whatever OCR_BASE_URL and OCR_API_KEY say.
Nothing is read from the working directory.
`;

const OUTPUT = `Standard output is the result and nothing else; progress, notes and errors go to standard error.

Text is printed as the service gave it, with a final newline. On a terminal its control characters are made visible.

--json prints one JSON document for each input, on one line each in a pipe, in the order of the inputs:
  {"input":"a.pdf","requestId":"req_…","function":"TEXT_EXTRACTION","result":{"text":"…"},"meta":{…}}
  a completed job also has "jobId"; an unfinished one has requestId, jobId, status and statusUrl
  a failure is {"input":"a.pdf","requestId":"req_…","error":{"code":"…","message":"…","requestId":"req_…","retryable":false}}
  a file of a directory that is skipped is {"input":"a.docx","skipped":"…"}: its media type, or what it is
Standard error is then empty, except with --debug.

-o and --output-dir write what the function and --format give: text, Markdown, CSV, a PDF, or with --format json the document
above. With --json, each line then has "output", the name of the file, instead of "result".

Lists are tables on a terminal and tab-separated lines without a header elsewhere.
`;

const TOPICS: Record<string, () => string> = {
  environment: () => ENVIRONMENT,
  'exit-codes': () => EXIT_MEANINGS.map(([code, meaning]) => `${String(code).padStart(3)}  ${meaning}\n`).join(''),
  output: () => OUTPUT,
};

/** Prints a help topic. */
export async function help(context: Context, { topic, commands }: HelpOptions): Promise<void> {
  const print = Object.hasOwn(TOPICS, topic) ? TOPICS[topic] : undefined;
  if (print === undefined) {
    const near = suggest(topic, [...Object.keys(TOPICS), ...commands]);
    throw new OcrError('USAGE', `There is no help on "${topic}"`, {
      hint: near === undefined ? `Topics: ${Object.keys(TOPICS).join(', ')}` : `Did you mean ${near}?`,
    });
  }
  await context.output.text(print());
}
