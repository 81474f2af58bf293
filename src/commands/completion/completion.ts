import type { Context } from '../../context.js';
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
  /** The names of profiles in place of the script, which asks for them. */
  listsProfiles: boolean;
}

/** A script for a shell that completes commands, flags and their values; where a file is wanted, files. */
export async function completion(
  context: Context,
  { shell, describe, listsProfiles }: CompletionOptions,
): Promise<void> {
  if (listsProfiles) return await printProfiles(context);
  const functions = describeFunctions().map(({ id }) => id);
  const tree = addWords(await describe(), functions);
  const script = shell === 'fish' ? renderFish(tree) : renderBash(tree, shell);
  if (context.output.isJson) return await context.output.json({ shell, script });
  await context.output.text(script);
}

async function printProfiles({ directories, output }: Context): Promise<void> {
  const { configDir } = await directories();
  const names = listProfiles(await readSettingsFile(configDir));
  // What somebody wrote into the file as a name may be anything, and is for a shell.
  await output.text(names.flatMap((name) => (isProfileName(name) ? [`${name}\n`] : [])).join(''));
}
