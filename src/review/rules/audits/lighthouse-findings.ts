import { shorten } from '../../../lib/text/cut-text.ts';
import { plural } from '../../../lib/text/plural.ts';
import type { LighthouseAudit, LighthouseReport } from '../../../outside/lighthouse/lighthouse-report.ts';
import type { DraftFinding, Severity } from '../../../shapes/agents/execution.ts';
import { causeOfRule } from '../../causes/cause-of.ts';
import { withoutTags } from './without-tags.ts';

/** Scores below are red in Lighthouse. Metrics between red and green vary from run to run. */
const RED = 0.5;
const GREEN = 0.9;
const MAX_NAMED = 3;

type Item = LighthouseAudit['items'][number];

/** A finding for each failed audit that lowers a score; those of accessibility by the components that fail. */
export const lighthouseFindings = ({ audits, scores, finalUrl }: LighthouseReport): DraftFinding[] =>
  audits
    .filter((audit) => hasFailed(audit, scores))
    .flatMap((audit) => {
      const isAccessibility = (audit.weights.accessibility ?? 0) > 0;
      if (!isAccessibility) return [findingOf(audit, audit.items, `lighthouse ${audit.id}`)];
      return [...byComponent(audit, finalUrl)].map(([cause, items]) => findingOf(audit, items, cause));
    });

/** The items of an audit by the component that fails, as the accessibility checker tells components apart. */
function byComponent({ id, items }: LighthouseAudit, pageUrl: string): Map<string, Item[]> {
  const components = new Map<string, Item[]>();
  for (const item of items.length > 0 ? items : [{}]) {
    const { selector = '', snippet = '' }: Item = item;
    const cause = causeOfRule(id, selector, snippet, pageUrl);
    components.set(cause, [...(components.get(cause) ?? []), item]);
  }
  return components;
}

function findingOf(audit: LighthouseAudit, items: readonly Item[], cause: string): DraftFinding {
  const { selector = '', snippet } = items.find((item) => item.selector) ?? {};
  const measured = audit.displayValue ? `${measuredSentence(audit.displayValue)}` : '';
  return {
    title: auditTitle(audit),
    description: [explanationOf(audit), measured, named(items)].filter(Boolean).join(' '),
    severity: auditSeverity(audit.score!, audit.weights),
    issueType: audit.id,
    suggestion: suggestionOf(audit),
    confidence: isMetric(audit) ? 80 : 100,
    htmlSelector: selector,
    ...(snippet && selector && { htmlSnippet: shorten(snippet, 400) }),
    isPageLevel: selector === '',
    findingType: selector ? 'pin' : 'page',
    cause,
  };
}

const isMetric = ({ scoreDisplayMode, weights }: LighthouseAudit): boolean =>
  scoreDisplayMode === 'numeric' && (weights.performance ?? 0) > 0;

/** True if an audit failed and lowers the score of a category. Audits without weight, such as insights, do not. */
function hasFailed(audit: LighthouseAudit, scores: LighthouseReport['scores']): boolean {
  const { score, scoreDisplayMode, weights } = audit;
  if (score === null || /^(informative|notApplicable|manual|error)$/.test(scoreDisplayMode)) return false;
  const counts = Object.entries(weights).some(([category, weight]) => weight > 0 && scores[category] !== 100);
  return counts && score < (isMetric(audit) ? RED : GREEN);
}

/** The severity of a failed audit by its score and its weights. */
export function auditSeverity(score: number, weights: LighthouseAudit['weights']): Severity {
  const weight = Math.max(0, ...Object.values(weights));
  if (weight >= 7 && score < RED) return 'high';
  return weight >= 3 || score < RED ? 'medium' : 'low';
}

/** Lighthouse's explanation without its link to advice, which the suggestion has. */
export function explanationOf({ description }: Pick<LighthouseAudit, 'description'>): string {
  const own = description
    .split(/(?<=[.!?])\s+(?=[A-Z[`<])/)
    .filter((sentence) => !/\]\(https?:/.test(sentence))
    .join(' ');
  const text = plainText(own);
  return text === '' || /[.!?]$/.test(text) ? text : `${text}.`;
}

function measuredSentence(displayValue: string): string {
  const value = forPeople(displayValue);
  const saving = /^Est(?:imated|\.)? savings? of (.+)$/i.exec(value)?.[1];
  if (saving) return `About ${saving} could be saved.`;
  return /^[\d.,]+( ?(?:s|ms|B|kB|MB|%))?$/.test(value) ? `The measured value is ${value}.` : `${value}.`;
}

/** Times and sizes in the units that people read: `2,430 ms` becomes `2.4 s`, and `1,240 KiB` becomes `1.3 MB`. */
const forPeople = (displayValue: string): string =>
  displayValue
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/([\d,]+(?:\.\d+)?) (ms|KiB|MiB)(?!\w)/g, (_, digits: string, unit: string) => {
      const value = Number(digits.replaceAll(',', ''));
      if (unit === 'ms') return value >= 1_000 ? `${rounded(value / 1_000)} s` : `${Math.round(value)} ms`;
      const bytes = value * (unit === 'KiB' ? 1_024 : 1_048_576);
      return bytes >= 999_500 ? `${rounded(bytes / 1_000_000)} MB` : `${Math.round(bytes / 1_000)} kB`;
    });

const rounded = (value: number): string => String(Math.round(value * 10) / 10);

/** The elements and files concerned, as a sentence. */
function named(items: readonly Item[]): string {
  const names = [...new Set(items.flatMap(({ url, text, selector }) => url ?? text ?? selector ?? []))];
  if (names.length === 0) return '';
  const shown = names.slice(0, MAX_NAMED).map((name) => shorten(name.replace(/\s+/g, ' '), 150));
  const more = names.length - shown.length;
  const listed = more > 0 ? [...shown, `${plural(more, 'other place')}`] : shown;
  return `It concerns ${listed.length > 1 ? `${listed.slice(0, -1).join(', ')} and ${listed.at(-1)}` : listed[0]}.`;
}

/** The text and the address of the link to advice at the end of Lighthouse's descriptions. */
export function adviceOf({ description }: Pick<LighthouseAudit, 'description'>) {
  const link = [...description.matchAll(/\[([^\]]*)\]\((https?:[^)]+)\)/g)].at(-1);
  return link && { text: link[1]!, url: link[2]! };
}

export const auditTitle = ({ title }: Pick<LighthouseAudit, 'title'>): string => plainText(title);

/** The link to advice, as a sentence. */
function suggestionOf(audit: Pick<LighthouseAudit, 'description'>): string {
  const link = adviceOf(audit);
  if (!link) return '';
  const text = plainText(link.text).replace(/[.\s]+$/, '');
  const isCommand = /^(learn|read|see|find|discover|check|use)\b/i.test(text);
  const sentence = isCommand ? text.replace(/^\w/, (letter) => letter.toUpperCase()) : `Read about ${text}`;
  return `${sentence}: ${link.url}`;
}

const plainText = (markdown: string): string =>
  withoutTags(markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
    .replaceAll('`', '')
    .trim();
