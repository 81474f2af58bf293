import type { CommandNode } from './command-tree.js';
import {
  allCommands,
  optionsOf,
  ownOptionsOf,
  PATH_VALUE,
  PROFILES,
  takesFiles,
  valuedOptions,
  wordsOf,
} from './words.js';

/**
 * Renders one function for bash; zsh runs it through its `bashcompinit`. It walks the words to find the command, then
 * offers that command's words. Only the names of profiles start a process: a keypress must not wait for Node.
 */
export function renderBash(tree: CommandNode, shell: 'bash' | 'zsh'): string {
  const commands = allCommands(tree);
  const cases = commands.map((node) => {
    const options = optionsOf(node, tree).flatMap(({ names }) => names);
    return `    ${quote(node.path)})
      words=${listOf(wordsOf(node), shell)}
      flags=${quote([...options, '--help'].join(' '))}
      files=${takesFiles(node) ? 1 : 0} ;;`;
  });
  // Commands with an option, by the completion of its value: `--status` has other values after other commands.
  const values = new Map<string, string[]>();
  for (const node of commands) {
    for (const { names, value, choices } of ownOptionsOf(node)) {
      if (value === undefined) continue;
      const reply = replyOf(value, choices, shell);
      const typed = names.map((name) => (node === tree ? `*${quote(` ${name}`)}` : quote(`${node.path} ${name}`)));
      values.set(reply, [...(values.get(reply) ?? []), ...typed]);
    }
  }
  const paths = commands.map(({ path }) => quote(path)).join('|');
  return `# Completion of ocr for ${shell}, made by: ocr completion ${shell}
${shell === 'zsh' ? 'autoload -Uz compinit bashcompinit && { whence compdef >/dev/null || compinit; } && bashcompinit\n' : ''}_ocr_files() {
  local IFS=$'\\n'
  # In zsh, compgen looks at its own PREFIX for files.
  COMPREPLY=($(PREFIX="$word" IPREFIX=; compgen -P "$given" -f -- "$word"))
  type compopt >/dev/null 2>&1 && compopt -o filenames 2>/dev/null
}
_ocr_words() {
  COMPREPLY=($(compgen -P "$given" -W "$1" -- "$word"))
}
_ocr() {
  # No variable is called path, which zsh takes for PATH.
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" given= typed=ocr i skip= words= flags= files=0
  # --option=value is three words in bash, and one in zsh.
  if [ "$word" = = ]; then word=
  elif [ "$before" = = ]; then before="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  case "$word" in
    --*=*) before="\${word%%=*}" given="\${word%%=*}=" word="\${word#*=}" ;;
  esac
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [ "\${COMP_WORDS[i]}" = = ]; then skip=1; continue; fi
    if [ -n "$skip" ]; then skip=; continue; fi
    case "\${COMP_WORDS[i]}" in
      ${valuedOptions(tree).join('|')}) skip=1; continue ;;
      -*) continue ;;
    esac
    case "$typed \${COMP_WORDS[i]}" in
      ${paths}) typed="$typed \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$typed $before" in
${[...values].map(([reply, typed]) => `    ${typed.join('|')}) ${reply}; return ;;`).join('\n')}
  esac
  case "$typed" in
${cases.join('\n')}
  esac
  case "$word" in
    -*) _ocr_words "$flags" ;;
    *)
      _ocr_words "$words"
      if [ "$files" = 1 ] && [ \${#COMPREPLY[@]} -eq 0 ]; then _ocr_files; fi ;;
  esac
}
complete -F _ocr ocr
`;
}

function replyOf(value: string, choices: readonly string[], shell: string): string {
  if (choices.length > 0) return `_ocr_words ${listOf(choices, shell)}`;
  return PATH_VALUE.test(value) ? '_ocr_files' : 'COMPREPLY=()';
}

function listOf(words: readonly string[], shell: string): string {
  return words.includes(PROFILES) ? `"$(ocr completion ${shell} --profiles 2>/dev/null)"` : quote(words.join(' '));
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
