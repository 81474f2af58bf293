import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { OcrError } from '../../contract/ocr-error.js';

export interface NpmOptions {
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** Characters of npm's answer that are kept. */
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;

/**
 * Options that a person's own settings must not change: one package without its scripts, in this directory alone. The pauses
 * between attempts are those of a command that somebody waits for; npm's own take half a minute.
 */
const OPTIONS = [
  '--json',
  '--no-save',
  '--no-package-lock',
  '--ignore-scripts',
  '--no-bin-links',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--no-global',
  '--no-dry-run',
  '--install-strategy=hoisted',
  '--logs-max=0',
  '--loglevel=error',
  '--fetch-retries=2',
  '--fetch-retry-mintimeout=250',
  '--fetch-retry-maxtimeout=2000',
  '--fetch-timeout=60000',
];

/**
 * Lets npm put a package below `directory`/node_modules. The registry, proxies, certificates and keys are those of npm's own
 * settings. npm compares what it gets with the digest that the registry gives.
 * @throws OcrError NOT_FOUND, UNREACHABLE, INSTALL_FAILED; the signal's reason
 */
export async function installPackage(name: string, directory: string, { env, signal }: NpmOptions): Promise<void> {
  const [file, ...before] = findNpm(env);
  const args = [...before, 'install', name, '--prefix', directory, ...OPTIONS];
  try {
    // npm reads the settings of the project that it is started in.
    await promisify(execFile)(file, args, {
      cwd: directory,
      env,
      signal,
      maxBuffer: MAX_ANSWER_BYTES,
      windowsHide: true,
    });
  } catch (error) {
    signal.throwIfAborted();
    throw explain(name, readFailure(error));
  }
}

/** Returns the command that starts npm: the program on PATH, or the one that came with Node. @throws OcrError INSTALL_FAILED */
function findNpm(env: NodeJS.ProcessEnv): [file: string, ...args: string[]] {
  const folders = (env.PATH ?? '').split(delimiter).filter(isAbsolute);
  const program = folders.map((folder) => join(folder, 'npm')).find(canRun);
  // On Windows it is a script of the shell, which Node does not start without one.
  if (program !== undefined && process.platform !== 'win32') return [program];
  const home = dirname(process.execPath);
  const places = [home, join(home, '..', 'lib'), ...folders];
  const script = places
    .map((place) => join(place, 'node_modules', 'npm', 'bin', 'npm-cli.js'))
    .find((path) => existsSync(path));
  if (script !== undefined) return [process.execPath, script];
  throw new OcrError('INSTALL_FAILED', 'npm, which gets languages from its registry, is not on PATH', {
    hint: 'Install npm: it comes with Node.',
  });
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

interface NpmFailure {
  /** npm's code, or that of the system: E404, EINTEGRITY, ECONNREFUSED … */
  code: string;
  summary: string;
}

function readFailure(error: unknown): NpmFailure {
  const { stdout = '', stderr = '', message = '' } = error as { stdout?: string; stderr?: string; message?: string };
  try {
    const { code, summary } = (JSON.parse(stdout) as { error: Partial<NpmFailure> }).error;
    return { code: String(code ?? ''), summary: firstLine(String(summary ?? '')) };
  } catch {
    return { code: '', summary: firstLine(stderr) || firstLine(message) };
  }
}

function firstLine(text: string): string {
  return (
    text
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim() ?? ''
  );
}

/** Codes of npm for a registry that does not answer, or not as one. */
const UNREACHABLE =
  /^(?:ENOTFOUND|EAI_AGAIN|ECONN\w+|ENET\w+|EHOST\w+|E?TIMEDOUT|EPIPE|ERR_\w+|FETCH_ERROR|ENOTCACHED|E5\d\d|E429|EINVALIDPROXY|\w*CERT\w*|\w*SSL\w*|\w*TLS\w*|EIDLETIMEOUT|ESOCKETTIMEDOUT)$/;

function explain(name: string, { code, summary }: NpmFailure): OcrError {
  const reason = summary === '' ? code : summary;
  if (code === 'E404' || code === 'ETARGET') {
    return new OcrError('NOT_FOUND', `The registry of npm has no package ${name}`, {
      status: 404,
      hint: 'Which one is asked: npm config get registry',
    });
  }
  if (code === 'EINTEGRITY') {
    return new OcrError('INSTALL_FAILED', `${name} has not the digest that the registry gives; nothing was kept`);
  }
  if (code === 'E401' || code === 'E403') {
    return new OcrError('NO_API_KEY', `The registry of npm refuses ${name}: ${reason}`, { hint: 'npm login' });
  }
  if (UNREACHABLE.test(code)) {
    return new OcrError('UNREACHABLE', `The registry of npm cannot be reached: ${reason}`, {
      hint: 'Which one is asked: npm config get registry',
    });
  }
  return new OcrError('INSTALL_FAILED', `npm could not install ${name}: ${reason}`);
}
