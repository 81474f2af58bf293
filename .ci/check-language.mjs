// Refuses comments that read like riddles, and names that hide a bound. Prints `file:line: beginning (rule)`, one a line,
// and ends with exit code 1 where there is any. Usage: node .ci/check-language.mjs [file or folder]…
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-api';

const DEFAULT_FOLDERS = ['src', 'test', 'bench', 'docs/make', '.ci', 'bin'];
const IS_CODE = /(?<!\.d)\.[cm]?[jt]sx?$/;

/** These words begin a fragment or a question, where a noun or a verb in the third person says what the code is. */
const FIRST_WORD = /^(?:of|as|in|whether|what|who|whose|where|which)\b/i;
/** Directives to tools are no prose. */
const DIRECTIVE = /^(?:@|biome-ignore|c8 |v8 |node:|#)/;
const BOUND = /(?:^|_)(?:MOST|LEAST)_/;
const MAX_QUOTE_LENGTH = 60;

/**
 * The findings of one file, in its order.
 * @returns {Array<{line: number, text: string, rule: string}>} `line` counts from 1
 */
export function checkLanguage(fileName, source) {
  const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, false);
  const lineOf = (at) => file.getLineAndCharacterOfPosition(at).line + 1;
  const comments = new Map();
  const findings = [];
  visitTokens(file, file, (token) => {
    const ranges = [ts.getTrailingCommentRanges(source, token.pos), ts.getLeadingCommentRanges(source, token.pos)];
    for (const range of ranges.flatMap((found) => found ?? [])) comments.set(range.pos, range);
    if (ts.isIdentifier(token) && BOUND.test(token.text))
      findings.push({ line: lineOf(token.getStart(file)), text: token.text, rule: 'MAX_ or MIN_ in place of it' });
  });
  for (const { start, text } of joinLines(source, [...comments.values()])) {
    const rule = ruleAgainst(text);
    if (rule !== undefined) findings.push({ line: lineOf(start), text: shorten(text), rule });
  }
  return findings.sort((a, b) => a.line - b.line);
}

/** Calls `visit` for every token, those inside JSDoc left out. */
function visitTokens(node, file, visit) {
  if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return;
  const children = node.getChildren(file);
  if (children.length === 0) visit(node);
  for (const child of children) visitTokens(child, file, visit);
}

/** The prose of each comment; `//` lines that follow each other, each on a line of its own, are one comment. */
function joinLines(source, ranges) {
  const blocks = [];
  for (const { pos, end, kind } of ranges.sort((a, b) => a.pos - b.pos)) {
    const isLine = kind === ts.SyntaxKind.SingleLineCommentTrivia;
    const isAlone = source.slice(source.lastIndexOf('\n', pos - 1) + 1, pos).trim() === '';
    const last = blocks.at(-1);
    const text = isLine ? source.slice(pos + 2, end) : source.slice(pos + 2, end - 2).replace(/^[ \t]*\*/gm, '');
    if (isLine && isAlone && last?.isLine && /^[ \t]*\r?\n[ \t]*$/.test(source.slice(last.end, pos))) {
      last.text += ` ${text.trim()}`;
      last.end = end;
    } else blocks.push({ start: pos, end, isLine: isLine && isAlone, text: text.replace(/^\*/, '') });
  }
  return blocks.map(({ start, text }) => ({ start, text: text.replace(/\s+/g, ' ').trim() }));
}

function ruleAgainst(text) {
  if (DIRECTIVE.test(text)) return undefined;
  const [word] = FIRST_WORD.exec(text) ?? [];
  if (word !== undefined) return `begins with "${word}"`;
  const [sentence] = /^.*?[.?!](?=\s|$)/.exec(text.replace(/`[^`]*`/g, '')) ?? [];
  return sentence?.endsWith('?') ? 'begins with a question' : undefined;
}

function shorten(text) {
  return text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH - 1)}…` : text;
}

function* walk(path) {
  if (!statSync(path).isDirectory()) return yield path;
  for (const name of readdirSync(path).sort()) {
    const below = join(path, name);
    if (statSync(below).isDirectory()) yield* walk(below);
    else if (IS_CODE.test(name)) yield below;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const paths = process.argv.length > 2 ? process.argv.slice(2) : DEFAULT_FOLDERS;
  let count = 0;
  for (const file of paths.flatMap((path) => [...walk(path)])) {
    for (const { line, text, rule } of checkLanguage(file, readFileSync(file, 'utf8'))) {
      process.stdout.write(`${file}:${line}: ${text} (${rule})\n`);
      count++;
    }
  }
  if (count > 0) process.exitCode = 1;
}
