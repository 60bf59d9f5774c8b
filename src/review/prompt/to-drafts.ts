import { cutText, shorten } from '../../lib/text/cut-text.ts';
import { type DraftFinding, type Severity, severities } from '../../shapes/agents/execution.ts';
import type { MemoryEntry, PageTask } from '../core/execution-strategy.ts';
import type { Answer, AnsweredFinding } from './finding-schema.ts';
import { groundsOf } from './memory-entries.ts';
import { type QuoteLookup, quoteLookup } from './quote-lookup.ts';
import { type SelectorLookup, selectorLookup } from './selector-lookup.ts';

/** Findings beyond this number are dropped, since each may become an annotation. */
const MAX_FINDINGS = 200;
const MAX_LENGTH = {
  title: 200,
  description: 4_000,
  suggestion: 4_000,
  quote: 1_000,
  selector: 1_000,
  tag: 60,
};
/** The lowest confidence that passes the guardrails. */
const UNQUOTED_CONFIDENCE = 50;
/** Characters of dropped selectors in a note. */
const MAX_NAMED = 300;

export interface Drafts {
  findings: DraftFinding[];
  summary: string;
  /** Corrections, each as a sentence for the run's log. */
  notes: string[];
}

/** The material against which the findings of a model are checked. */
export interface Checks {
  quotes?: QuoteLookup | undefined;
  selectors?: SelectorLookup | undefined;
  /** Entries that the model was sent. */
  memory?: readonly MemoryEntry[];
}

/** Checks by what was gathered from the page. */
export const checksOf = ({ gathered, memory }: Pick<PageTask, 'gathered' | 'memory'>): Checks => ({
  quotes: quoteLookup(gathered),
  selectors: selectorLookup(gathered),
  memory,
});

/**
 * Converts a model's answer to draft findings. A quote gets the page's own spelling; a finding whose quote the page's
 * text does not have becomes one about the page, says so, and gets a low severity and confidence. A selector that
 * matches nothing is dropped. Cited memory entries count only if they are in `memory`.
 */
export function toDrafts(answer: Answer, { quotes, selectors, memory = [] }: Checks = {}): Drafts {
  const notes: string[] = [];
  const stated = answer.findings.filter(({ title, description }) => (title + description).trim() !== '');
  if (stated.length < answer.findings.length)
    notes.push(`${answer.findings.length - stated.length} of the model's findings say nothing.`);
  if (stated.length > MAX_FINDINGS)
    notes.push(`The model gave ${stated.length} findings; the first ${MAX_FINDINGS} of them are kept.`);
  const kept = stated.slice(0, MAX_FINDINGS);
  const scale = scaleOf(kept);
  let unquoted = 0;
  let ungrounded = 0;
  const lost: string[] = [];
  const findings = kept.map((finding) => {
    const grounds = groundsOf(finding.groundedBy, memory);
    ungrounded += grounds.unknown;
    const selector = selectorOf(finding);
    const isLost = selector !== '' && selectors?.matches(selector) === false;
    if (isLost) lost.push(selector);
    const draft = {
      ...draftOf(isLost ? { ...finding, htmlSelector: '' } : finding, scale),
      ...grounds.fields,
    };
    const quoted = withPageQuote(draft, quotes);
    if (quoted === undefined) unquoted += 1;
    return quoted ?? withoutQuote(draft, quotes?.hasPictures === true);
  });
  if (unquoted > 0)
    notes.push(
      `${unquoted} of the model's findings quote words that the page's text does not have; they are about the page now, with a low severity.`,
    );
  if (lost.length > 0)
    notes.push(
      `${lost.length} of the model's selectors match nothing on the page and are dropped: ${shorten(lost.join(', '), MAX_NAMED)}`,
    );
  if (ungrounded > 0)
    notes.push(
      `The model's findings name ${ungrounded} entries of the memory that it was not given; they do not count.`,
    );
  return { findings, summary: cutText(textOf(answer.summary), MAX_LENGTH.description), notes };
}

/** The selector; empty if it is too long, since a cut one would match another element. */
function selectorOf({ htmlSelector }: AnsweredFinding): string {
  const selector = textOf(htmlSelector);
  return selector.length > MAX_LENGTH.selector ? '' : selector;
}

function draftOf(finding: AnsweredFinding, scale: number): DraftFinding {
  const title = finding.title.trim() || finding.description;
  const targetText = cutText(textOf(finding.targetText), MAX_LENGTH.quote);
  const htmlSelector = selectorOf(finding);
  const confidence = numberOf(finding.confidence);
  const sourceUrl = textOf(finding.pageUrl);
  const isPageLevel = finding.isPageLevel === true || finding.isPageLevel === 'true';
  return {
    title: shorten(title.replace(/\s+/g, ' ').trim(), MAX_LENGTH.title),
    description: shorten(finding.description.trim(), MAX_LENGTH.description),
    severity: severityOf(finding.severity),
    issueType: tagOf(finding.issueType),
    targetText,
    occurrence: Math.max(1, Math.trunc(numberOf(finding.occurrence) ?? 1)),
    suggestion: shorten(textOf(finding.suggestion), MAX_LENGTH.suggestion),
    htmlSelector,
    isPageLevel,
    ...(sourceUrl && { sourceUrl }),
    findingType: typeOf(finding.findingType, targetText, htmlSelector),
    ...(confidence !== undefined && {
      confidence: Math.round(Math.min(100, Math.max(0, confidence * scale))),
    }),
  };
}

/** The finding with its quote in the page's spelling; undefined if the page's text does not have the quote. */
function withPageQuote(draft: DraftFinding, quotes: QuoteLookup | undefined): DraftFinding | undefined {
  if (!draft.targetText || !quotes) return draft;
  const found = quotes.find(draft.targetText);
  if (!found) return undefined;
  return { ...draft, targetText: found.text, occurrence: Math.min(draft.occurrence ?? 1, found.count) };
}

function withoutQuote(draft: DraftFinding, hasPictures: boolean): DraftFinding {
  const quote = shorten(draft.targetText ?? '', 200);
  const remark = hasPictures
    ? "The words that it quotes were not found in the page's text. If a picture shows them, that could not be verified"
    : 'The words that it quotes were not found on the page';
  return {
    ...draft,
    description: `${draft.description}\n${remark}: “${quote}”`.trim(),
    severity: draft.severity === 'info' ? 'info' : 'low',
    quoteFound: false,
    targetText: '',
    occurrence: 1,
    findingType: draft.htmlSelector ? 'pin' : 'page',
    isPageLevel: !draft.htmlSelector,
    confidence: Math.min(draft.confidence ?? UNQUOTED_CONFIDENCE, UNQUOTED_CONFIDENCE),
  };
}

/** Factor that brings confidences to 0–100: a model that gives none above 1 means fractions. */
function scaleOf(findings: AnsweredFinding[]): number {
  const given = findings.map(({ confidence }) => numberOf(confidence) ?? 0);
  return given.some((value) => value > 0) && given.every((value) => value <= 1) ? 100 : 1;
}

const SYNONYMS: Record<string, Severity> = {
  blocker: 'critical',
  severe: 'critical',
  error: 'high',
  major: 'high',
  serious: 'high',
  moderate: 'medium',
  warning: 'medium',
  minor: 'low',
  informational: 'info',
  notice: 'info',
};

/** Severity by name or synonym; `medium` for anything else. */
export function severityOf(value: unknown): Severity {
  const word = textOf(value).toLowerCase();
  return severities.find((known) => known === word) ?? SYNONYMS[word] ?? 'medium';
}

function typeOf(value: unknown, targetText: string, htmlSelector: string): DraftFinding['findingType'] {
  const name = textOf(value).toLowerCase();
  if (name === 'page') return 'page';
  if (name === 'pin' && htmlSelector !== '') return 'pin';
  return targetText !== '' ? 'text' : htmlSelector !== '' ? 'pin' : 'page';
}

function tagOf(value: unknown): string {
  const words = textOf(value)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1-$2')
    .toLowerCase();
  const tag = cutText(words.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-+/, ''), MAX_LENGTH.tag);
  return tag.replace(/-+$/, '') || 'issue';
}

/** Empty for "none" and the like, which models write instead of an empty text. */
function textOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string') return '';
  const text = value.trim();
  return /^(none|null|n\/a|undefined)$/i.test(text) ? '' : text;
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Number.parseFloat(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
