// Finds the places of the product at which a small mutant can be made, by the syntax tree.
import { createHash } from 'node:crypto';
import { type ESTree, parseSync } from 'rolldown/utils';

type Node = ESTree.Node;

export const KINDS = ['condition', 'call', 'bound', 'where', 'value'] as const;
export type Kind = (typeof KINDS)[number];

/** The nearest statement, or body of an arrow function, around a mutant: a marker there tells that it is reached. */
export interface Spot {
  start: number;
  end: number;
  /** Letters that are put around it, so that a marker may be in front. */
  around: 'nothing' | 'block' | 'parentheses';
}

export interface Candidate {
  /** Hash of the texts below and the number of their occurrence: changes elsewhere keep it. Also the rank of the choice. */
  id: string;
  file: string;
  kind: Kind;
  line: string;
  before: string;
  after: string;
  start: number;
  end: number;
  spot: Spot;
}

/** A longer span is a part of the product, not a small fault. */
const MAX_SPAN = 400;
/** Each two of these are a pair that is easily mistaken for each other. */
const PAIRED = ['<', '<=', '>', '>=', '===', '!==', '&&', '||'];
/** Methods whose whole-number arguments are positions or lengths. */
const COUNTING = /^(slice|subarray|splice|substring|at|limit|offset|repeat|padStart|padEnd|fill|toFixed)$/;
const CONDITIONS = /^(where|whereRef|having)$/;
/** Calls that write to the log or the terminal. */
const TELLS = /(^|\.)(log|logger|console|stderr)\??\.\w+$|^(log|warn)$/;
/** Calls whose absence only costs time or memory. */
const TIDIES = /(\.|^)(unref|clear(Timeout|Interval)|removeEventListener)$/;
/** The syntax of TypeScript that contains code which runs; all other is skipped. */
const RUNS = /^TS(As|Satisfies|NonNull|Instantiation)Expression$/;
const HAS_BODY = /^(If|For|ForOf|ForIn|While|DoWhile)Statement$/;

const parse = (file: string, source: string) =>
  parseSync(file, source, { lang: file.endsWith('.tsx') ? 'tsx' : 'ts', sourceType: 'module' });

/** True if the source has a valid syntax: a mutant without one says nothing about tests. */
export const isValid = (file: string, source: string): boolean => parse(file, source).errors.length === 0;

export const apply = (source: string, { start, end, after }: Candidate): string =>
  source.slice(0, start) + after + source.slice(end);

/** All candidates of a file, in the order of the source. `seed` changes their ids, and so the selection. */
export function findCandidates(seed: string, file: string, source: string): Candidate[] {
  const found: Candidate[] = [];
  const seen = new Map<string, number>();
  const { program, errors } = parse(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]!.message}`);
  const finder = new Finder(source, (kind, start, end, after, spot) => {
    if (end - start > MAX_SPAN) return;
    const first = start + source.slice(start, end).search(/\S/);
    const line = source
      .slice(source.lastIndexOf('\n', first) + 1)
      .split('\n', 1)[0]!
      .trim();
    const before = source.slice(start, end).replace(/\s+/g, ' ').trim();
    const key = JSON.stringify([seed, file, kind, line, before, after]);
    const occurrence = seen.get(key) ?? 0;
    seen.set(key, occurrence + 1);
    const id = createHash('sha256').update(`${key}${occurrence}`).digest('hex').slice(0, 10);
    found.push({ id, file, kind, line, before, after, start, end, spot });
  });
  finder.visit(program, undefined);
  return found;
}

type Add = (kind: Kind, start: number, end: number, after: string, spot: Spot) => void;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const spotOf = ({ start, end }: Node, around: Spot['around']): Spot => ({ start, end, around });

/** The only statement of a branch; undefined if it has several. */
const onlyIn = (branch: ESTree.Statement): ESTree.Statement | undefined => {
  if (branch.type !== 'BlockStatement') return branch;
  return branch.body.length === 1 ? branch.body[0] : undefined;
};

class Finder {
  private readonly source: string;
  private readonly add: Add;

  constructor(source: string, add: Add) {
    this.source = source;
    this.add = add;
  }

  /** Visits a node. The spot is undefined outside of functions, where no mutants are made. */
  visit(node: Node, spot: Spot | undefined): void {
    if ((node.type.startsWith('TS') && !RUNS.test(node.type)) || this.isLeftAlone(node)) return;
    if (spot) this.findIn(node, spot);
    const list = 'body' in node && Array.isArray(node.body) ? node.body : undefined;
    if (node.type.includes('Function') && 'body' in node && isNode(node.body)) {
      const inside = spotOf(node.body, 'parentheses');
      this.flip(node.body, inside);
      this.visit(node.body, inside);
      return;
    }
    for (const child of Object.values(node).flat().filter(isNode)) {
      const isInList = node.type === 'SwitchCase' ? child !== node.test : list?.includes(child as never);
      const isStatement = child.type.endsWith('Statement') || child.type.endsWith('Declaration');
      if (!spot || !isStatement || child.type === 'BlockStatement') this.visit(child, spot);
      else if (isInList) this.visit(child, spotOf(child, 'nothing'));
      else
        this.visit(
          child,
          HAS_BODY.test(node.type) && child.type.endsWith('Statement') ? spotOf(child, 'block') : spot,
        );
    }
  }

  private textOf = ({ start, end }: Node) => this.source.slice(start, end);

  /** True for what tells people something, and for checks of states that cannot occur. */
  private isLeftAlone(node: Node): boolean {
    if (node.type === 'ThrowStatement') return true;
    if (node.type === 'Property') return this.textOf(node.key) === 'message';
    if (node.type === 'CallExpression') return TELLS.test(this.textOf(node.callee));
    if (node.type === 'NewExpression') return this.textOf(node.callee).endsWith('Error');
    if (node.type !== 'IfStatement' || node.alternate) return false;
    const only = onlyIn(node.consequent);
    return (
      only?.type === 'ThrowStatement' &&
      /^new (Type)?Error\(/.test(this.textOf(only.argument)) &&
      /^!\w+$|=== (undefined|null)$/.test(this.textOf(node.test))
    );
  }

  private findIn(node: Node, spot: Spot): void {
    switch (node.type) {
      case 'IfStatement':
        this.findExit(node);
        this.negate(node.test, spot);
        break;
      case 'ConditionalExpression':
      case 'WhileStatement':
        this.negate(node.test, spot);
        break;
      case 'LogicalExpression':
        if (node.operator !== '??') this.swapOperator('condition', node, spot);
        // Without one of these, nearly everything stays the same.
        else if (!/^(false|null|undefined)$/.test(this.textOf(node.right)))
          this.add('value', node.left.end, node.right.end, '', spot);
        break;
      case 'BinaryExpression':
        if (node.operator !== 'in') this.findBound(node as ESTree.BinaryExpression, spot);
        break;
      case 'ExpressionStatement':
        this.findStatement(node, spot);
        break;
      case 'CallExpression':
        this.findInCall(node, spot);
        break;
      case 'TaggedTemplateExpression':
        if (this.textOf(node.tag) !== 'sql') break;
        for (const [start, end] of findConditions(this.source, node.quasi))
          this.add('where', start, end, '', spot);
        break;
      case 'ReturnStatement':
        if (node.argument) this.flip(node.argument, spot);
        break;
      case 'Property':
        this.flip(node.value, spot);
        break;
      case 'ObjectExpression':
        this.findSpreads(node.properties, spot);
        break;
      case 'ArrayExpression':
        this.findSpreads(node.elements, spot);
        break;
    }
  }

  private negate(test: Node, spot: Spot): void {
    this.add('condition', test.start, test.end, `!(${this.textOf(test)})`, spot);
  }

  private flip(node: Node, spot: Spot): void {
    if (node.type !== 'Literal' || typeof node.value !== 'boolean') return;
    this.add('value', node.start, node.end, String(!node.value), spot);
  }

  private swapOperator(
    kind: Kind,
    { operator, left }: ESTree.LogicalExpression | ESTree.BinaryExpression,
    spot: Spot,
  ): void {
    const start = this.source.indexOf(operator, left.end);
    const at = PAIRED.indexOf(operator);
    const after = PAIRED[at % 2 === 0 ? at + 1 : at - 1];
    if (after !== undefined) this.add(kind, start, start + operator.length, after, spot);
  }

  private findBound(node: ESTree.BinaryExpression, spot: Spot): void {
    const { operator, left, right } = node;
    this.swapOperator('bound', node, spot);
    if (PAIRED.includes(operator)) for (const side of [left, right]) this.moveByOne(side, spot);
    const isOne = right.type === 'Literal' && right.value === 1;
    if (isOne && (operator === '+' || operator === '-')) this.add('bound', left.end, right.end, '', spot);
  }

  private moveByOne(node: Node, spot: Spot): void {
    if (node.type !== 'Literal' || !/^\d+$/.test(node.raw ?? '')) return;
    this.add('bound', node.start, node.end, String(Number(node.value) + 1), spot);
  }

  private findStatement(node: ESTree.ExpressionStatement, spot: Spot): void {
    let call: Node = node.expression;
    if (call.type === 'AwaitExpression' || call.type === 'UnaryExpression') call = call.argument;
    if (call.type === 'ChainExpression') call = call.expression;
    if (call.type !== 'CallExpression') return;
    const callee = this.textOf(call.callee);
    if (callee === 'super' || TIDIES.test(callee) || TELLS.test(callee)) return;
    this.add('call', node.start, node.end, ';', spot);
  }

  private findInCall({ callee, arguments: given, end }: ESTree.CallExpression, spot: Spot): void {
    if (callee.type !== 'MemberExpression' || callee.computed) return;
    const name = this.textOf(callee.property);
    if (CONDITIONS.test(name)) this.add('where', callee.object.end, end, '', spot);
    if (COUNTING.test(name)) for (const argument of given) this.moveByOne(argument, spot);
  }

  /** An early `return` or `throw`, without which the function goes on. */
  private findExit({ consequent, alternate }: ESTree.IfStatement): void {
    const only = onlyIn(consequent);
    if (alternate || (only?.type !== 'ReturnStatement' && only?.type !== 'ThrowStatement')) return;
    this.add('value', only.start, only.end, ';', spotOf(only, only === consequent ? 'block' : 'nothing'));
  }

  private findSpreads(parts: readonly (Node | null)[], spot: Spot): void {
    for (const [at, part] of parts.entries()) {
      if (part?.type !== 'SpreadElement') continue;
      const next = parts[at + 1];
      const start = next ? part.start : (parts[at - 1]?.end ?? part.start);
      this.add('value', start, next?.start ?? part.end, '', spot);
    }
  }
}

/** Words that may follow a condition of SQL at its own depth of parentheses. */
const FOLLOWS =
  /\s+(and|or|order|group|having|limit|offset|fetch|returning|union|except|intersect|for|on|then|else|end|window|left|right|full|join|inner|cross|set|values|select|from|where)\b|\s*[,;]/iy;
/** The end of a condition that is not complete without the expression of the template after it. */
const ASKS = /([=<>+\-*/|&~(,[]|\b(not|in|is|like|ilike|any|all|from|distinct|interval))\s*$/i;

/** The spans of ` and …` in a template of SQL, up to the end of that condition, without which the rest is valid. */
function* findConditions(
  source: string,
  { start, end, expressions }: ESTree.TemplateLiteral,
): Generator<[number, number]> {
  // Expressions are blank words, so that their own text is not taken for SQL.
  let text = source.slice(0, end - 1);
  for (const { start: from, end: to } of expressions)
    text = text.slice(0, from) + 'x'.repeat(to - from) + text.slice(to);
  for (const { index, 0: word } of text.slice(start + 1).matchAll(/\s+and\s/gi)) {
    const from = start + 1 + index;
    const earlier = text.slice(start + 1, from);
    const isInText = earlier.split("'").length % 2 === 0 || /--[^\n]*$/.test(earlier);
    if (isInText || /\bbetween\b(?!.*\b(and|or|where|on)\b)/is.test(earlier)) continue;
    const to = endOfCondition(text, from + word.length);
    // These have words of their own that would end the condition too early.
    if (!/^\s*$|\b(between|case)\b/i.test(text.slice(from + word.length, to))) yield [from, to];
  }
}

function endOfCondition(text: string, from: number): number {
  let depth = 0;
  let isText = false;
  for (let at = from; at < text.length; at++) {
    const letter = text[at]!;
    if (letter === "'") isText = !isText;
    if (isText) continue;
    FOLLOWS.lastIndex = at;
    if (depth === 0 && FOLLOWS.test(text)) return at;
    // A fragment after a complete condition is not a part of it.
    const isFragment = depth === 0 && at > from && /^\s+\$\{/.test(text.slice(at));
    if (isFragment && !ASKS.test(text.slice(from, at))) return at;
    if (letter === '(' || letter === '[') depth++;
    if (letter === ')' || letter === ']') depth--;
    if (depth < 0) return at;
  }
  return text.trimEnd().length;
}
