import type { Command } from './commander.js';
import { type Invoke, onRun, renderExamples } from './declare.js';

export function declareMcp(mcp: Command, invoke: Invoke): void {
  mcp
    .addHelpText(
      'after',
      `\nAn assistant starts it and talks to it on standard input and output. Documents are read only below the roots that the\nclient names, else below the working directory. The tools: read_document, extract_tables, inspect_document,\nlist_functions and find_request.\n`,
    )
    .addHelpText('after', renderExamples(['ocr mcp < /dev/null', 'ocr mcp --profile local < /dev/null']));
  onRun(
    mcp,
    invoke,
    async () => (await import('../commands/mcp/mcp.js')).mcp,
    () => ({}),
  );
}
