import type { Command } from './commander.js';
import { addHelpProse, define, defineDefault, type Invoke, onRun, renderExamples } from './declare.js';

export function declareAuth(auth: Command, invoke: Invoke): void {
  auth.addHelpText('after', renderExamples(['ocr auth status', 'ocr auth logout']));
  const login = define(auth, 'login', 'store the key of a service, if the service accepts it').option(
    '--with-token',
    'read the key from standard input',
  );
  addHelpProse(
    login,
    'Without --with-token you are asked for the address, if none is set, and for the key, which is not shown. No flag takes it. It is stored with the address, in the active profile or the one named by --profile.',
  ).addHelpText(
    'after',
    renderExamples([
      'ocr auth login --base-url https://ocr.example.com --profile work',
      `printf %s "$OCR_API_KEY" | ocr auth login --with-token`,
    ]),
  );
  onRun(
    login,
    invoke,
    async () => (await import('../commands/auth/login.js')).login,
    (command) => ({ withToken: command.opts().withToken === true }),
  );
  const status = defineDefault(
    auth,
    'status',
    'which key is used for which service, and whether it is accepted',
  ).addHelpText('after', renderExamples(['ocr auth status', 'ocr auth status --json']));
  onRun(
    status,
    invoke,
    async () => (await import('../commands/auth/status.js')).status,
    () => ({}),
  );
  const logout = define(auth, 'logout', 'remove the key of the profile').addHelpText(
    'after',
    renderExamples(['ocr auth logout', 'ocr auth logout --json']),
  );
  onRun(
    logout,
    invoke,
    async () => (await import('../commands/auth/logout.js')).logout,
    () => ({}),
  );
}
