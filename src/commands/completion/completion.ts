import type { Context } from '../../context.js';
import { namesOfFunctions } from '../../contract/function-names.js';
import { LANGUAGES } from '../../contract/languages.js';
import { describeFunctions } from '../../functions/describe-functions.js';
import { isProfileName } from '../../settings/known-settings.js';
import { listProfiles } from '../../settings/resolve-settings.js';
import { readSettingsFile } from '../../settings/settings-file.js';
import { renderBash } from './bash.js';
import type { CommandNode } from './command-tree.js';
import { complete } from './complete.js';
import { renderFish } from './fish.js';
import { parseWords, renderPowerShell } from './powershell.js';
import type { Shell } from './shells.js';
import { addWords } from './words.js';

export interface CompletionOptions {
  shell: Shell;
  describe: () => Promise<CommandNode>;
  /** Set when the script of PowerShell asks what may be typed; see parseWords. */
  words: string | undefined;
  /** True for the names of profiles instead of the script; the script asks for them. */
  listsProfiles: boolean;
}

/** Prints a script for a shell that completes commands, flags and their values, and files. */
export async function completion(
  context: Context,
  { shell, describe, words, listsProfiles }: CompletionOptions,
): Promise<void> {
  if (listsProfiles) return await printProfiles(context);
  const functions = namesOfFunctions(describeFunctions());
  const languages = LANGUAGES.map(({ code }) => code);
  const tree = addWords(await describe(), { functions, languages });
  if (words !== undefined) return await printCandidates(context, tree, words);
  const script = renderScript(tree, shell);
  if (context.output.isJson) return await context.output.json({ shell, script });
  await context.output.text(script);
}

function renderScript(tree: CommandNode, shell: Shell): string {
  if (shell === 'powershell') return renderPowerShell();
  return shell === 'fish' ? renderFish(tree) : renderBash(tree, shell);
}

/** Windows PowerShell reads the output of a program in the code page of the console. */
function toAscii(text: string): string {
  return text
    .replaceAll('’', "'")
    .replaceAll('…', '...')
    .replace(/[^ -~]/g, '?');
}

/** Prints what may be typed, with a description behind a tab. */
async function printCandidates(context: Context, tree: CommandNode, words: string): Promise<void> {
  const found = await complete(tree, parseWords(words), () => readProfiles(context));
  const lines = found.map(({ word, description }) => `${word}\t${toAscii(description)}\n`);
  await context.output.text(lines.join(''));
}

async function printProfiles(context: Context): Promise<void> {
  const names = await readProfiles(context);
  await context.output.text(names.map((name) => `${name}\n`).join(''));
}

/** Reads the names of profiles. One in the settings file may be any text, and a shell evaluates what it gets. */
async function readProfiles({ directories }: Context): Promise<string[]> {
  const { configDir } = await directories();
  return listProfiles(await readSettingsFile(configDir)).filter(isProfileName);
}
