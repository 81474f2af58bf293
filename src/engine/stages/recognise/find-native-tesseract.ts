import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';

/** The program Tesseract on this machine. */
export interface NativeTesseract {
  /** Absolute path. */
  program: string;
  /** Version that it reports: `5.3.0`. */
  version: string;
  /** Languages that it has data for. */
  languages: string[];
}

/** First version with the neural recogniser and the hOCR that hocr.ts reads. */
const MIN_VERSION = [4, 1] as const;
/** Time limit for an answer of the program. */
const MAX_ANSWER_MS = 10_000;
/** Models that are not languages: orientation, and formulas of old versions. */
export const NO_LANGUAGES = ['osd', 'equ'];

/** Looks for `tesseract` on PATH and asks what it can do; undefined where none can be used. */
export async function findNativeTesseract(env: NodeJS.ProcessEnv): Promise<NativeTesseract | undefined> {
  const program = findProgram(env.PATH ?? '');
  if (program === undefined) return undefined;
  try {
    const [about, listed] = await Promise.all([ask(program, '--version', env), ask(program, '--list-langs', env)]);
    const version = /tesseract v?(\d+)\.(\d+)\S*/.exec(about);
    if (version === null) return undefined;
    const [major, minor] = [Number(version[1]), Number(version[2])];
    if (major < MIN_VERSION[0] || (major === MIN_VERSION[0] && minor < MIN_VERSION[1])) return undefined;
    const languages = listed
      .split(/\r?\n/)
      .filter((line) => /^[A-Za-z]\w*$/.test(line) && !NO_LANGUAGES.includes(line));
    return { program, version: version[0].replace(/^tesseract v?/, ''), languages };
  } catch {
    // A program that does not run counts as absent.
    return undefined;
  }
}

function findProgram(path: string): string | undefined {
  const name = process.platform === 'win32' ? 'tesseract.exe' : 'tesseract';
  return path
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** Runs the program and returns standard output and standard error: old versions answer on the latter. */
async function ask(program: string, question: string, env: NodeJS.ProcessEnv): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)(program, [question], {
    env,
    timeout: MAX_ANSWER_MS,
    windowsHide: true,
  });
  return `${stdout}\n${stderr}`;
}
