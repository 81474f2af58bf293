import type { Command } from './commander.js';
import { addHelpProse, type Invoke, onRun, renderExamples } from './declare.js';

export function declareMcp(mcp: Command, invoke: Invoke): void {
  addHelpProse(
    mcp,
    'An assistant starts it and talks to it on standard input and output. Documents are read only below the roots that the client names, else below the working directory. The tools: read_document, extract_tables, inspect_document, list_functions and find_request.',
  ).addHelpText('after', renderExamples(['ocr mcp < /dev/null', 'ocr mcp --profile local < /dev/null']));
  onRun(
    mcp,
    invoke,
    async () => (await import('../commands/mcp/mcp.js')).mcp,
    () => ({}),
  );
}
