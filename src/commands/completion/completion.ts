import type { Context } from '../../context.js';
import { namesOfFunctions } from '../../contract/function-names.js';
import { LANGUAGES } from '../../contract/languages.js';
import { describeFunctions } from '../../functions/describe-functions.js';
import { isProfileName } from '../../settings/known-settings.js';
import { listProfiles } from '../../settings/resolve-settings.js';
import { readSettingsFile } from '../../settings/settings-file.js';
import { renderBash } from './bash.js';
import type { CommandNode } from './command-tree.js';
import { renderFish } from './fish.js';
import { addWords } from './words.js';

export interface CompletionOptions {
  shell: 'bash' | 'zsh' | 'fish';
  describe: () => Promise<CommandNode>;
  /** True for the names of profiles instead of the script; the script asks for them. */
  listsProfiles: boolean;
}

/** Prints a script for a shell that completes commands, flags and their values, and files. */
export async function completion(
  context: Context,
  { shell, describe, listsProfiles }: CompletionOptions,
): Promise<void> {
  if (listsProfiles) return await printProfiles(context);
  const functions = namesOfFunctions(describeFunctions());
  const languages = LANGUAGES.map(({ code }) => code);
  const tree = addWords(await describe(), { functions, languages });
  const script = shell === 'fish' ? renderFish(tree) : renderBash(tree, shell);
  if (context.output.isJson) return await context.output.json({ shell, script });
  await context.output.text(script);
}

async function printProfiles({ directories, output }: Context): Promise<void> {
  const { configDir } = await directories();
  const names = listProfiles(await readSettingsFile(configDir));
  // A name in the settings file may be any text, and a shell evaluates this output.
  await output.text(names.flatMap((name) => (isProfileName(name) ? [`${name}\n`] : [])).join(''));
}
