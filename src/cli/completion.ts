import type { CommandNode } from '../commands/completion/command-tree.js';
import { SHELLS, type Shell } from '../commands/completion/shells.js';
import { Argument, type Command, Option } from './commander.js';
import { addHelpProse, type Invoke, onRun, renderExamples } from './declare.js';

export function declareCompletion(completion: Command, invoke: Invoke, describe: () => Promise<CommandNode>): void {
  completion
    .addArgument(new Argument('<shell>', 'bash, zsh, fish or powershell').choices([...SHELLS]))
    .addOption(new Option('--profiles').hideHelp())
    .addOption(new Option('--words <base64>').hideHelp());
  addHelpProse(
    completion,
    'In PowerShell, add this to $PROFILE:\n  ocr completion powershell | Out-String | Invoke-Expression',
  ).addHelpText('after', renderExamples(['source <(ocr completion bash)', 'ocr completion fish | head -3']));
  onRun(
    completion,
    invoke,
    async () => (await import('../commands/completion/completion.js')).completion,
    (command) => ({
      shell: command.args[0] as Shell,
      describe,
      words: command.opts<{ words?: string }>().words,
      listsProfiles: command.opts().profiles === true,
    }),
  );
}
