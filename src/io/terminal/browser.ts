import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';

/** The system that a browser is to be opened on. */
export interface BrowserOptions {
  platform: NodeJS.Platform;
  env: NodeJS.ProcessEnv;
}

/** A program and its arguments. */
export interface BrowserCommand {
  program: string;
  args: string[];
  /** True for a program that the user chose: it may be a browser for the terminal, which needs it. */
  isChosen: boolean;
}

/** Returns the command that opens a page, or the reason why none can be. `BROWSER` is what xdg-open and others take it for. */
export function chooseBrowser(path: string, { platform, env }: BrowserOptions): BrowserCommand | { reason: string } {
  const [chosen] = (env.BROWSER ?? '').split(platform === 'win32' ? ';' : ':').filter((one) => one.trim() !== '');
  if (chosen !== undefined) {
    const [program = '', ...words] = chosen.trim().split(/\s+/);
    const { href } = pathToFileURL(path);
    const isPlaced = words.some((word) => word.includes('%s'));
    const args = isPlaced ? words.map((word) => word.replaceAll('%s', () => href)) : [...words, href];
    return { program, args, isChosen: true };
  }
  if (env.SSH_CONNECTION || env.SSH_CLIENT || env.SSH_TTY) return { reason: 'this is a session over SSH' };
  if (platform === 'darwin') return { program: 'open', args: [path], isChosen: false };
  // `start` is a word of cmd.exe, which would take & and % in a name for its own.
  if (platform === 'win32')
    return { program: 'rundll32', args: ['url.dll,FileProtocolHandler', path], isChosen: false };
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY) return { reason: 'there is no display' };
  return { program: 'xdg-open', args: [path], isChosen: false };
}

/** Runs the command to its end. Returns the reason where it fails. */
export async function openBrowser(
  { program, args, isChosen }: BrowserCommand,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<string | undefined> {
  return await new Promise((resolve) => {
    const child = spawn(program, args, { env, signal, stdio: isChosen ? 'inherit' : 'ignore', windowsHide: true });
    child.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'ENOENT' ? `there is no program ${program}` : `${program}: ${error.message}`);
    });
    child.once('exit', (code) => resolve(code === 0 ? undefined : `${program} ended with ${code ?? 'a signal'}`));
  });
}
