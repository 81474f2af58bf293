import { extractCommand, quote, type SentDocument } from '../contract/command-words.js';
import { isGone, type OcrError } from '../contract/ocr-error.js';

/** Adds what to type next to an error that has no hint. */
export function addHint(error: OcrError, sent: SentDocument): OcrError {
  if (error.hint !== undefined) return error;
  const { code, message } = error;
  const hint = isGone(error) ? extractCommand(sent) : (findRemedy(code, message, sent) ?? adviseOn(code, message));
  return hint === undefined ? error : error.with({ hint });
}

/** Returns the command that gets a refused document read all the same: with its password, or in parts. */
export function findRemedy(code: string | null, message: string | null, sent: SentDocument): string | undefined {
  if (code === 'INVALID_DOCUMENT' && /encrypt|password/i.test(message ?? '')) {
    return extractCommand({ ...sent, args: { ...sent.args, password: null } });
  }
  // The limit counts the whole document, whichever of its pages are requested.
  if (code === 'PAGE_LIMIT_EXCEEDED' && /\.pdf$/i.test(sent.input ?? '')) {
    const limit = /(\d+) at most/.exec(message ?? '')?.[1] ?? '100';
    const { pages: _, ...args } = sent.args ?? {};
    const parts = extractCommand({ ...sent, args, input: 'part' }).replace(/part$/, 'part-*.pdf');
    return `qpdf --split-pages=${limit} ${quote(sent.input ?? '')} part-%d.pdf && ${parts}`;
  }
  return undefined;
}

/** Returns the command at the end of a message about a language that is not installed. */
export function findInstallCommand(message: string | null): string | undefined {
  return /\bocr languages install [\w+ -]+$/.exec(message ?? '')?.[0];
}

/** Returns advice for errors that no command solves. */
export function adviseOn(code: string | null, message: string | null): string | undefined {
  if (code === 'INTERNAL') return 'This is a fault of the service: quote the request id to whoever runs it.';
  if (code === 'PAYLOAD_TOO_LARGE') return 'Split it, or make the pictures in it smaller.';
  if (code === 'PAGE_LIMIT_EXCEEDED') return 'Split it: the whole document counts, whichever pages are asked for.';
  if (code !== 'INVALID_DOCUMENT' || !/damaged/i.test(message ?? '')) return undefined;
  return 'Fetch or export it again. If a viewer still shows it, print it to a new file from there.';
}
