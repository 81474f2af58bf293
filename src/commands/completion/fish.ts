import type { CommandNode } from './command-tree.js';
import { allCommands, ownOptionsOf, PATH_VALUE, PROFILES, takesFiles, valuedOptions } from './words.js';

export function renderFish(tree: CommandNode): string {
  const lines = [
    '# Completion of ocr for fish, made by: ocr completion fish',
    // The words that are commands, in order, are the path so far.
    `function __ocr_path
  set -l known ${allCommands(tree)
    .map(({ path }) => fishQuote(path))
    .join(' ')}
  set -l valued ${valuedOptions(tree).join(' ')}
  set -l path ocr
  set -l skip 0
  for word in (commandline -opc)[2..-1]
    if test $skip = 1
      set skip 0
    else if contains -- "$word" $valued
      set skip 1
    else if contains -- "$path $word" $known
      set path "$path $word"
    end
  end
  test "$path" = "$argv[1]"
end`,
    'complete -c ocr -f',
  ];
  for (const node of allCommands(tree)) {
    const when = `-n ${fishQuote(`__ocr_path ${fishQuote(node.path)}`)}`;
    for (const { name, description } of node.commands) {
      lines.push(`complete -c ocr ${when} -a ${fishQuote(name)} -d ${fishQuote(description)}`);
    }
    if (node.argChoices.length > 0) lines.push(`complete -c ocr ${when} -a ${listOf(node.argChoices)}`);
    if (takesFiles(node)) lines.push(`complete -c ocr ${when} -F`);
    // The program's options may stand anywhere.
    const start = node === tree ? 'complete -c ocr' : `complete -c ocr ${when}`;
    for (const option of ownOptionsOf(node)) lines.push(`${start} ${fishOption(option)}`);
  }
  return `${lines.join('\n')}\n`;
}

function fishOption({ names, description, value, choices }: CommandNode['options'][number]): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  const takes = value === undefined ? '' : PATH_VALUE.test(value) ? ' -r -F' : ' -x';
  const values = choices.length === 0 ? '' : ` -a ${listOf(choices)}`;
  return `${flags.join(' ')}${takes}${values} -d ${fishQuote(description)}`;
}

/** Quotes words; fish evaluates the quoted text when it completes. */
function listOf(words: readonly string[]): string {
  return fishQuote(words.includes(PROFILES) ? '(ocr completion fish --profiles 2>/dev/null)' : words.join(' '));
}

function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
