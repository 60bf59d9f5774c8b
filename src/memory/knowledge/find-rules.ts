import type { Checklist, ChecklistItem } from '../../lib/checklist/checklist-item.ts';
import { findColumns, roleOf } from '../../lib/checklist/table-columns.ts';
import { tableItems } from '../../lib/checklist/table-items.ts';
import { NO_ITEM, textItems } from '../../lib/checklist/text-items.ts';
import { shorten } from '../../lib/text/cut-text.ts';
import type { FileContent } from '../../outside/files/file-reader.ts';
import { areStatements, type ListedLine, listedLines } from './line-rules.ts';

export interface Rule {
  content: string;
  /** Section of the rule. */
  category: string | null;
}

const MAX_RULE_CHARS = 4_000;
const MAX_CATEGORY_CHARS = 200;
/** Minimum number of demanding lines in a rule book. */
const MIN_DEMANDS = 2;
/** Minimum share of demanding items, and of listed text beside headings. */
const SHARE_OF_DEMANDS = 0.3;
const SHARE_OF_TEXT = 0.3;
/** Limits for lines without list marks: nearly all demand something, and none is longer than a sentence or two. */
const SHARE_OF_LINES = 0.7;
const MAX_LINE_CHARS = 300;
/** Minimum average length of a row; shorter rows are words, not checks. */
const MIN_WORDS_A_ROW = 4;

/** Modal words of rules, in English, German, French and Spanish. */
const DEMANDS =
  /\b(must|shall|should|never|always|ensure|avoid|don['’]t|do not|cannot|may not|only|required?|requires|mandatory|prohibited|forbidden|not allowed|make sure|(?:has|have|need|needs) to)\b|(?<!\p{L})(muss|müssen|darf|dürfen|soll|sollen|nie|niemals|immer|vermeiden|sicherstellen|doit|doivent|jamais|toujours|éviter|debe|deben|nunca|siempre|evitar)(?!\p{L})/iu;
const IMPERATIVE =
  /^(use|avoid|write|keep|check|verify|confirm|include|provide|prefer|limit|follow|spell|capitali[sz]e|add|remove|replace|start|end|refer|test|validate|review|show|state|no)\b/i;
const CHECKBOX = /^\s*(?:[-*+•]\s+)?(?:\[[ xX✓]?\]|[☐☑☒])/;

/** The rules of a file that is a list of rules rather than prose; otherwise none. */
export function findRules({ text, sheets }: FileContent): Rule[] {
  if (text !== undefined) {
    const checklist = textItems(text);
    return isRuleBook(text, checklist) ? rulesOf(text, checklist) : [];
  }
  return (sheets ?? []).flatMap(({ name, rows }) => {
    const { items } = tableItems(rows, '');
    const sheet = (sheets ?? []).length > 1 ? name : '';
    return isChecklist(rows, items) ? items.map((item) => ruleOf(item, sheet)) : [];
  });
}

/** The rules of a text that is known to consist of rules: its list items, or its lines. */
export const rulesOfText = (text: string): Rule[] => rulesOf(text, textItems(text));

function rulesOf(text: string, { items }: Checklist): Rule[] {
  if (items.length > 0) return items.map((item) => ruleOf(item, ''));
  return listedLines(text, demands).map(({ text: line, heading }) => ({
    content: shorten(line, MAX_RULE_CHARS),
    category: heading === undefined ? null : shorten(heading, MAX_CATEGORY_CHARS),
  }));
}

function isRuleBook(text: string, { items, skipped }: Checklist): boolean {
  if (items.length === 0) return isListOfDemands(listedLines(text, demands));
  const demanding = items.filter(isDemanding).length;
  const listed = items.reduce((sum, { original }) => sum + original.length, 0);
  const prose = skipped.reduce(
    (sum, { reason, originalText }) => sum + (reason === NO_ITEM ? originalText.length : 0),
    0,
  );
  return (
    demanding >= MIN_DEMANDS &&
    demanding >= items.length * SHARE_OF_DEMANDS &&
    listed >= (listed + prose) * SHARE_OF_TEXT
  );
}

function isListOfDemands(lines: readonly ListedLine[]): boolean {
  const demanding = lines.filter(({ text }) => demands(text)).length;
  return (
    demanding >= MIN_DEMANDS &&
    demanding >= lines.length * SHARE_OF_LINES &&
    lines.every(({ text }) => text.length <= MAX_LINE_CHARS) &&
    areStatements(lines)
  );
}

function isChecklist(rows: readonly string[][], items: readonly ChecklistItem[]): boolean {
  if (items.length === 0) return false;
  const words = items.reduce((sum, { check }) => sum + check.split(/\s+/).length, 0);
  if (words < items.length * MIN_WORDS_A_ROW) return false;
  const { names } = findColumns(rows);
  if (names.some((name) => roleOf(name) === 'check')) return true;
  return items.filter(isDemanding).length >= items.length * SHARE_OF_DEMANDS;
}

const demands = (line: string): boolean => DEMANDS.test(line) || IMPERATIVE.test(line);

const isDemanding = ({ title, check, original }: ChecklistItem): boolean =>
  CHECKBOX.test(original) || DEMANDS.test(`${title} ${check}`) || IMPERATIVE.test(check);

function ruleOf({ title, check, details, headings, category }: ChecklistItem, sheet: string): Rule {
  const named = title === '' || title === check ? check : `${title}: ${check}`;
  const section = category ?? headings.at(-1) ?? sheet;
  return {
    content: shorten([named, ...details].join('\n'), MAX_RULE_CHARS),
    category: section === '' ? null : shorten(section, MAX_CATEGORY_CHARS),
  };
}
