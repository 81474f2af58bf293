import type { Command } from './commander.js';
import { define, defineDefault, examples, type Invoke, onRun } from './declare.js';

export function declareAuth(auth: Command, invoke: Invoke): void {
  auth.addHelpText('after', examples(['ocr auth status', 'ocr auth logout']));
  const login = define(auth, 'login', 'keep the key of a service, once the service has taken it')
    .option('--with-token', 'read the key from standard input')
    .addHelpText(
      'after',
      '\nWithout --with-token the key is asked for and not shown. No flag takes it. It is kept in the profile that is\nused, or named by --profile, together with the address.\n',
    )
    .addHelpText(
      'after',
      examples([
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
  const status = defineDefault(auth, 'status', 'which key goes where, and whether the service takes it').addHelpText(
    'after',
    examples(['ocr auth status', 'ocr auth status --json']),
  );
  onRun(
    status,
    invoke,
    async () => (await import('../commands/auth/status.js')).status,
    () => ({}),
  );
  const logout = define(auth, 'logout', 'take the key of the profile away').addHelpText(
    'after',
    examples(['ocr auth logout', 'ocr auth logout --json']),
  );
  onRun(
    logout,
    invoke,
    async () => (await import('../commands/auth/logout.js')).logout,
    () => ({}),
  );
}
