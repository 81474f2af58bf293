import type { Context } from '../context.js';
import type { CommandNode } from './command-tree.js';
import { renderBash } from './completion-bash.js';
import { renderFish } from './completion-fish.js';

export interface CompletionOptions {
  shell: 'bash' | 'zsh' | 'fish';
  describe: () => Promise<CommandNode>;
}

/** A script for a shell that completes commands, flags and their values; where a file is wanted, files. */
export async function completion(context: Context, { shell, describe }: CompletionOptions): Promise<void> {
  const tree = await describe();
  const script = shell === 'fish' ? renderFish(tree) : renderBash(tree, shell);
  if (context.output.isJson) return await context.output.json({ shell, script });
  await context.output.text(script);
}
