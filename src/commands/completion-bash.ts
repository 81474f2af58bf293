import type { CommandNode } from './command-tree.js';
import { allCommands, optionsOf, PATH_VALUE, takesFiles, valuedOptions, wordsOf } from './completion-words.js';

/**
 * One function for bash; zsh runs the same through its `bashcompinit`. It walks the words to find the command, then
 * offers what that command takes. Nothing is started: a keypress must not wait for Node.
 */
export function renderBash(tree: CommandNode, shell: 'bash' | 'zsh'): string {
  const commands = allCommands(tree);
  const cases = commands.map((node) => {
    const options = optionsOf(node, tree).flatMap(({ names }) => names);
    return `    ${quote(node.path)})
      words=${quote(wordsOf(node, tree).join(' '))}
      flags=${quote([...options, '--help'].join(' '))}
      files=${takesFiles(node) ? 1 : 0} ;;`;
  });
  // Commands and options, as they are typed, by what completes the value after them: `--status` is not the same everywhere.
  const values = new Map<string, string[]>();
  for (const node of commands) {
    for (const { names, value, choices } of optionsOf(node, tree)) {
      if (value === undefined) continue;
      const reply = replyOf(value, choices);
      values.set(reply, [...(values.get(reply) ?? []), ...names.map((name) => quote(`${node.path} ${name}`))]);
    }
  }
  const paths = commands.map(({ path }) => quote(path)).join('|');
  return `# Completion of ocr for ${shell}, made by: ocr completion ${shell}
${shell === 'zsh' ? 'autoload -Uz compinit bashcompinit && { whence compdef >/dev/null || compinit; } && bashcompinit\n' : ''}_ocr_files() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -f -- "$1"))
  type compopt >/dev/null 2>&1 && compopt -o filenames 2>/dev/null
}
_ocr() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path=ocr i skip= words= flags= files=0
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [ -n "$skip" ]; then skip=; continue; fi
    case "\${COMP_WORDS[i]}" in
      ${valuedOptions(tree).join('|')}) skip=1; continue ;;
      -*) continue ;;
    esac
    case "$path \${COMP_WORDS[i]}" in
      ${paths}) path="$path \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$path $before" in
${[...values].map(([reply, typed]) => `    ${typed.join('|')}) ${reply}; return ;;`).join('\n')}
  esac
  case "$path" in
${cases.join('\n')}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
    *)
      COMPREPLY=($(compgen -W "$words" -- "$word"))
      if [ "$files" = 1 ] && [ \${#COMPREPLY[@]} -eq 0 ]; then _ocr_files "$word"; fi ;;
  esac
}
complete -F _ocr ocr
`;
}

function replyOf(value: string, choices: readonly string[]): string {
  if (choices.length > 0) return `COMPREPLY=($(compgen -W ${quote(choices.join(' '))} -- "$word"))`;
  return PATH_VALUE.test(value) ? '_ocr_files "$word"' : 'COMPREPLY=()';
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
