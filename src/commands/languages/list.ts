import type { Context } from '../../context.js';
import { LANGUAGES, nameOfLanguage } from '../../contract/languages.js';
import { listInstalled } from '../../local/languages/list-installed.js';

/** A language as `--json` prints it. */
export interface LanguageRow {
  code: string;
  name: string;
  installed: boolean;
}

/** Lists the languages of scans that this machine reads, and those that can be installed. */
export async function list({ directories, env, output }: Context): Promise<void> {
  const { dataDir } = await directories();
  const installed = await listInstalled(dataDir, env);
  const rows: LanguageRow[] = [
    ...installed.map((code) => ({ code, name: nameOfLanguage(code), installed: true })),
    ...LANGUAGES.filter(({ code }) => !installed.includes(code)).map((known) => ({ ...known, installed: false })),
  ];
  if (output.isJson) return await output.json(rows);
  await output.table(
    ['Code', 'Language', 'State'],
    rows.map((row) => [row.code, row.name, row.installed ? 'installed' : 'available']),
  );
}
