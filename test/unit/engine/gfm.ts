import type { Nodes, Root } from 'mdast';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';

const parser = unified().use(remarkParse).use(remarkGfm);

/** Markdown as a reader of GitHub Flavored Markdown understands it. */
export const parseGfm = (markdown: string): Root => parser.parse(markdown);

/** The text alone, without any markup. */
export function plainText(node: Nodes): string {
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(plainText).join('') : '';
}

/** The rows of each table. */
export function tablesOf(markdown: string): string[][][] {
  return parseGfm(markdown).children.flatMap((node) =>
    node.type === 'table' ? [node.children.map((row) => row.children.map(plainText))] : [],
  );
}

/** The kind and text of each block: `h2 Title`, `p Text`, `li Item` (deeper items indented), `table`, `code …`. */
export function outline(markdown: string): string[] {
  const lines: string[] = [];
  const visit = (node: Nodes, depth: number): void => {
    if (node.type === 'heading') lines.push(`h${node.depth} ${plainText(node)}`);
    else if (node.type === 'paragraph') lines.push(`p ${plainText(node)}`);
    else if (node.type === 'table' || node.type === 'thematicBreak') lines.push(node.type);
    else if (node.type === 'code') lines.push(`code ${node.value}`);
    else if (node.type === 'footnoteDefinition') lines.push(`note ${node.identifier} ${plainText(node)}`);
    else if (node.type === 'list') {
      for (const [index, item] of node.children.entries()) {
        const marker = node.ordered ? `${(node.start ?? 1) + index}.` : '-';
        const [first, ...rest] = item.children;
        lines.push(`${'  '.repeat(depth)}${marker} ${first === undefined ? '' : plainText(first)}`);
        for (const child of rest) visit(child, depth + 1);
      }
    } else if ('children' in node) for (const child of node.children) visit(child, depth);
  };
  visit(parseGfm(markdown), 0);
  return lines;
}
