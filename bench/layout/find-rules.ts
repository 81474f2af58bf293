import ts from 'typescript-api';
import type { Insertion } from './insertions.js';

/**
 * - predicate: a function that returns a boolean → always false, always true
 * - condition: an operand of an `if`, `?:`, `&&` or `||` → absent: the other operands decide, or the branch is never taken
 * - function: any other function → returns its first argument, an empty list, undefined or nothing at once
 * - entry: an entry of a table of rules → absent
 * - constant: a number → half, one and a half
 */
export type RuleKind = 'predicate' | 'condition' | 'function' | 'entry' | 'constant';

export interface Rule {
  id: number;
  kind: RuleKind;
  name: string;
  file: string;
  /** From 1. */
  line: number;
  start: number;
  end: number;
  /** Value with which a condition is as good as absent. */
  absent?: boolean;
}

export interface SwitchableSource {
  rules: Rule[];
  insertions: Insertion[];
}

/** Tables of fewer entries are lists of values. */
const MIN_TABLE_ENTRIES = 3;
const MAX_NAME_LENGTH = 70;

/** Finds the rules of a source file, and the insertions that make each switchable. Ids go on from `firstId`. */
export function findRules(
  source: ts.SourceFile,
  file: string,
  checker: ts.TypeChecker,
  firstId: number,
): SwitchableSource {
  const rules: Rule[] = [];
  const insertions: Insertion[] = [];
  const scope: string[] = [];

  const addRule = (kind: RuleKind, node: ts.Node, name: string): number => {
    const id = firstId + rules.length;
    const start = node.getStart(source);
    const { line } = source.getLineAndCharacterOfPosition(start);
    rules.push({ id, kind, name, file, line: line + 1, start, end: node.getEnd() });
    return id;
  };
  const wrap = (node: ts.Node, before: string, after: string) => {
    insertions.push({ at: node.getStart(source), text: before, closes: false });
    insertions.push({ at: node.getEnd(), text: after, closes: true });
  };
  const insertAfter = (node: ts.Node, text: string) => insertions.push({ at: node.getEnd(), text, closes: true });

  const addCondition = (node: ts.Expression, absent: boolean) => {
    if (!isBoolean(checker.getTypeAtLocation(node)) || onlyNarrowsType(node)) return;
    const text = node.getText(source).replace(/\s+/g, ' ');
    const id = addRule('condition', node, `${scope.at(-1) ?? ''}: ${text.slice(0, MAX_NAME_LENGTH)}`);
    Object.assign(rules.at(-1) as Rule, { absent });
    wrap(node, `__rules.decide(${id}, `, ')');
  };

  const addFunction = (node: FunctionNode, name: string) => {
    const signature = checker.getSignatureFromDeclaration(node);
    if (signature === undefined || node.body === undefined) return;
    const type = checker.getReturnTypeOfSignature(signature);
    if (isBoolean(type)) {
      const id = addRule('predicate', node, name);
      for (const value of returnedBy(node)) wrap(value, `__rules.decide(${id}, `, ')');
      return;
    }
    const absent = valueWhenAbsent(node, type, checker);
    if (absent === undefined) return;
    const id = addRule('function', node, name);
    if (ts.isBlock(node.body)) {
      insertions.push({
        at: node.body.getStart(source) + 1,
        text: ` if (__rules.isOff(${id})) return ${absent};`,
        closes: false,
      });
    } else wrap(node.body, `__rules.isOff(${id}) ? ${absent || 'undefined'} : (`, ')');
  };

  const addConstant = (declaration: ts.VariableDeclaration, list: ts.VariableDeclarationList) => {
    const id = addRule('constant', declaration, declaration.name.getText(source));
    const name = declaration.name.getText(source);
    // A binding that can change is seen by every module that imports it.
    insertions.push({ at: list.getStart(source), text: 'let ', closes: false, replaces: 'const '.length });
    insertAfter(list.parent, `\n__rules.constant(${id}, ${name}, (value) => { ${name} = value; });`);
  };

  const addTable = (declaration: ts.VariableDeclaration, entries: readonly ts.Expression[], statement: ts.Node) => {
    const ids = entries.map((entry) => {
      const text = entry.getText(source).replace(/\s+/g, ' ');
      return addRule('entry', entry, `${declaration.name.getText(source)}: ${text.slice(0, MAX_NAME_LENGTH)}`);
    });
    insertAfter(statement, `\n__rules.table(${ids[0]}, ${declaration.name.getText(source)});`);
  };

  const visit = (node: ts.Node): void => {
    const name = nameOfFunction(node);
    if (name !== undefined) {
      addFunction(node as FunctionNode, name);
      scope.push(name);
      ts.forEachChild(node, visit);
      scope.pop();
      return;
    }
    if (ts.isVariableStatement(node) && node.parent === source) {
      for (const declaration of node.declarationList.declarations) {
        const { initializer } = declaration;
        if (initializer === undefined) continue;
        if (isNumber(initializer)) addConstant(declaration, node.declarationList);
        const entries = entriesOf(initializer);
        if (entries !== undefined) addTable(declaration, entries, node);
      }
    }
    if (ts.isIfStatement(node)) addOperands(node.expression, false);
    else if (ts.isConditionalExpression(node)) addOperands(node.condition, false);
    else if (isLogical(node) && !isWithinCondition(node)) addOperands(node, false);
    ts.forEachChild(node, visit);
  };
  /** Each operand of a condition alone. `absent` is the value of the whole with which it decides nothing; `!` turns it over. */
  const addOperands = (node: ts.Expression, absent: boolean): void => {
    if (ts.isParenthesizedExpression(node)) addOperands(node.expression, absent);
    else if (isLogical(node)) {
      const isAnd = node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken;
      addOperands(node.left, isAnd);
      addOperands(node.right, isAnd);
    } else if (isNegated(node)) addOperands(node.operand, !absent);
    else addCondition(node, absent);
  };
  visit(source);
  return { rules, insertions };
}

type FunctionNode = ts.FunctionDeclaration | ts.ArrowFunction;

function nameOfFunction(node: ts.Node): string | undefined {
  if (ts.isFunctionDeclaration(node)) return node.name?.text;
  if (!ts.isArrowFunction(node) || !ts.isVariableDeclaration(node.parent)) return undefined;
  return ts.isIdentifier(node.parent.name) ? node.parent.name.text : undefined;
}

const isBoolean = (type: ts.Type): boolean =>
  (type.flags & ts.TypeFlags.BooleanLike) !== 0 ||
  (type.isUnion() && type.types.every(({ flags }) => (flags & ts.TypeFlags.BooleanLike) !== 0));

const isLogical = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) &&
  [ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken].includes(node.operatorToken.kind);

const isNegated = (node: ts.Node): node is ts.PrefixUnaryExpression =>
  ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken;

/** True when an enclosing condition has this one among its operands. Conditions of loops are not switched. */
function isWithinCondition(node: ts.Node): boolean {
  const { parent } = node;
  if (isLogical(parent) || ts.isParenthesizedExpression(parent) || isNegated(parent))
    return isLogical(parent) || isWithinCondition(parent);
  if (ts.isIfStatement(parent)) return true;
  if (ts.isConditionalExpression(parent)) return parent.condition === node;
  if (ts.isForStatement(parent)) return parent.condition === node;
  return ts.isWhileStatement(parent) || ts.isDoStatement(parent);
}

/** True when the condition says that a value is there: the types need it, whether it ever decides or not. */
function onlyNarrowsType(node: ts.Expression): boolean {
  if (!ts.isBinaryExpression(node)) return false;
  const { left, right, operatorToken } = node;
  if (operatorToken.kind === ts.SyntaxKind.InKeyword) return true;
  return [left, right].some((side) => ts.isIdentifier(side) && side.text === 'undefined');
}

function isNumber(node: ts.Expression): boolean {
  if (ts.isPrefixUnaryExpression(node)) return ts.isNumericLiteral(node.operand);
  return ts.isNumericLiteral(node);
}

function entriesOf(node: ts.Expression): readonly ts.Expression[] | undefined {
  if (!ts.isArrayLiteralExpression(node) || node.elements.length < MIN_TABLE_ENTRIES) return undefined;
  const areRules = node.elements.every((element) => ts.isObjectLiteralExpression(element) || ts.isIdentifier(element));
  return areRules ? node.elements : undefined;
}

/** The expressions of the `return` statements that are the function's own. */
function returnedBy(node: FunctionNode): ts.Expression[] {
  if (node.body === undefined) return [];
  if (!ts.isBlock(node.body)) return [node.body];
  const values: ts.Expression[] = [];
  const visit = (child: ts.Node): void => {
    if (ts.isFunctionLike(child)) return;
    if (ts.isReturnStatement(child) && child.expression !== undefined) values.push(child.expression);
    ts.forEachChild(child, visit);
  };
  visit(node.body);
  return values;
}

/** The text of what a function that does nothing returns; undefined where there is no such value. */
function valueWhenAbsent(node: FunctionNode, type: ts.Type, checker: ts.TypeChecker): string | undefined {
  if ((type.flags & ts.TypeFlags.Void) !== 0) return '';
  const [first] = node.parameters;
  if (first !== undefined && ts.isIdentifier(first.name)) {
    const given = checker.getTypeAtLocation(first);
    const isSame =
      checker.isTypeAssignableTo(given, type) ||
      (isList(given, checker) && isList(type, checker) && sameElements(given, type, checker));
    if (isSame) return first.name.text;
  }
  if (type.isUnion() && type.types.some(({ flags }) => (flags & ts.TypeFlags.Undefined) !== 0)) return 'undefined';
  if (isList(type, checker)) return '[]';
  return undefined;
}

const isList = (type: ts.Type, checker: ts.TypeChecker): boolean => checker.isArrayType(type);

function sameElements(a: ts.Type, b: ts.Type, checker: ts.TypeChecker): boolean {
  const [of, other] = [a, b].map((type) => checker.getTypeArguments(type as ts.TypeReference)[0]);
  return of !== undefined && other !== undefined && checker.isTypeAssignableTo(of, other);
}
