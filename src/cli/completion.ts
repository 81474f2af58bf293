import type { CommandNode } from '../commands/completion/command-tree.js';
import { Argument, type Command, Option } from './commander.js';
import { type Invoke, onRun, renderExamples } from './declare.js';

export function declareCompletion(completion: Command, invoke: Invoke, describe: () => Promise<CommandNode>): void {
  completion
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(['bash', 'zsh', 'fish']))
    .addOption(new Option('--profiles').hideHelp())
    .addHelpText('after', renderExamples(['source <(ocr completion bash)', 'ocr completion fish | head -3']));
  onRun(
    completion,
    invoke,
    async () => (await import('../commands/completion/completion.js')).completion,
    (command) => ({
      shell: command.args[0] as 'bash' | 'zsh' | 'fish',
      describe,
      listsProfiles: command.opts().profiles === true,
    }),
  );
}
