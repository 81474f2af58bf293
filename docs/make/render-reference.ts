import type { CommandNode, OptionNode } from '../../src/commands/completion/command-tree.js';

/** Renders docs/reference.md, which describes every command, from the command tree. */
export function renderReference(tree: CommandNode): string {
  const commands = tree.commands.flatMap(renderCommand);
  return [
    '# Command reference',
    'Made from the command tree by `npm run docs`; `ocr <command> --help` says the same.',
    tree.description,
    '## Flags that every command has',
    renderOptions([...tree.options, { flags: '-h, --help', description: 'help on the command' }]),
    ...commands,
  ]
    .join('\n\n')
    .concat('\n');
}

function renderCommand(node: CommandNode): string[] {
  const depth = node.path.split(' ').length;
  const usage = [node.path, ...(node.options.length > 0 ? ['[options]'] : []), ...node.args].join(' ');
  const isNoun = node.commands.length > 0;
  return [
    `${'#'.repeat(Math.min(depth, 4))} \`${usage}\``,
    sentence(node.description),
    ...(isNoun && node.defaultCommand !== undefined ? [`Alone it is \`${node.path} ${node.defaultCommand}\`.`] : []),
    ...list(
      node.args.flatMap((arg, i) => (node.argDescriptions[i] ? [[`\`${arg}\``, node.argDescriptions[i] ?? '']] : [])),
    ),
    ...(node.options.length > 0 ? [renderOptions(node.options)] : []),
    ...(node.examples.length > 0 ? [`\`\`\`sh\n${node.examples.join('\n')}\n\`\`\``] : []),
    ...node.commands.flatMap(renderCommand),
  ];
}

function renderOptions(
  options: ReadonlyArray<Pick<OptionNode, 'flags' | 'description'> & Partial<OptionNode>>,
): string {
  const rows = options.map(({ flags, description, choices = [] }) => {
    const values = choices.length === 0 ? '' : ` (one of ${choices.join(', ')})`;
    return `| \`${cell(flags)}\` | ${cell(description + values)} |`;
  });
  return ['| flag | |', '|---|---|', ...rows].join('\n');
}

function list(rows: string[][]): string[] {
  return rows.length === 0 ? [] : [rows.map(([name, text]) => `- ${name}: ${text}`).join('\n')];
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
