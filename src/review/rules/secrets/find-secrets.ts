import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import type { DraftFinding } from '../../../shapes/agents/execution.ts';
import { attributeOf, type HiddenText, placeNameOf } from '../html-page.ts';
import type { ReviewedPage } from '../page-input.ts';
import { isMarked, type Passage, passagesOf, quoteOf } from '../passages.ts';
import { insideLeaks } from './inside.ts';
import { isMadeUp, isStandIn, type Leak, type Leaky, WITHDRAW } from './leak.ts';
import { passwordLeaks } from './passwords.ts';
import { tokenLeaks } from './tokens.ts';

const MAX_FINDINGS = 100;
const MAX_IN_PLACE = 5;
const MAX_LINTED = 2_000_000;
/** A passage of many lines, such as a trace of calls, is one leak. */
const ONE_EACH =
  /^(stack-trace|debug-output|internal-path|source-map|directory-listing|internal-comment|confidential-text)$/;

/** Finds what a page gives away of the secrets and the inside of an organization. */
export async function findSecrets({ url, words, html }: ReviewedPage): Promise<DraftFinding[]> {
  const ownHost = URL.parse(url)?.host ?? '';
  const passages = passagesOf(words);
  const places = html.hidden.filter(isOfInterest);
  const texts: Leaky[] = [
    ...passages.map((passage): Leaky => {
      const isSample = isMarked(passage, 0, 'code') && !isMarked(passage, 0, 'output');
      const kind = isSample ? 'code' : 'words';
      return { text: passage.text, kind, label: '', ownHost };
    }),
    ...places.map((place): Leaky => ({ text: place.text, kind: place.kind, label: labelOf(place), ownHost })),
  ];
  const linted = await lintAll(texts);
  const shownText = words.text;
  const findings: DraftFinding[] = [];
  let previous: string | undefined;
  for (const [index, leaky] of texts.entries()) {
    const leaks = distinct([
      ...tokenLeaks(leaky),
      ...passwordLeaks(leaky),
      ...(linted.get(index) ?? []),
      ...insideLeaks(leaky),
    ]);
    const passage = passages[index];
    if (passage) {
      for (const leak of leaks) {
        // The lines of one trace stand in passages of their own.
        if (ONE_EACH.test(leak.issueType) && previous === leak.issueType) continue;
        findings.push(shownFinding(leak, passage, shownText));
      }
      previous = leaks[0]?.issueType;
      continue;
    }
    const place = places[index - passages.length]!;
    const unseen = leaks.filter((leak) => !shownText.includes(single(leaky.text.slice(leak.from, leak.to))));
    findings.push(
      ...unseen
        .slice(0, MAX_IN_PLACE)
        .map((leak, nth) => hiddenFinding(leak, place, nth, html.selectorOf(place.element))),
    );
  }
  return findings.slice(0, MAX_FINDINGS);
}

const single = (text: string): string => text.replace(/\s+/g, ' ').trim();

function isOfInterest({ kind, name, text, element }: HiddenText): boolean {
  if (kind === 'attribute')
    return !/^(placeholder|alt|srcset|aria-label|pattern|autocomplete)$/.test(name!) && text.length < 20_000;
  if (element.tagName === 'code' || element.tagName === 'pre') return false;
  return true;
}

/** The first of those that overlap; the rules that know more come first. */
function distinct(leaks: Leak[]): Leak[] {
  const kept: Leak[] = [];
  const hasTrace = leaks.some(({ issueType }) => issueType === 'stack-trace');
  for (const leak of leaks) {
    const isTold = kept.some(
      (one) =>
        (one.from < leak.to && leak.from < one.to) ||
        (one.issueType === leak.issueType && ONE_EACH.test(one.issueType)),
    );
    // A trace of calls is made of paths.
    if (hasTrace && leak.issueType === 'internal-path') continue;
    if (!isTold) kept.push(leak);
  }
  return kept.sort((one, other) => one.from - other.from);
}

/** What the rules of secretlint find, by the index of the text; all texts at once, since each call costs. */
async function lintAll(texts: readonly Leaky[]): Promise<Map<number, Leak[]>> {
  const starts: number[] = [];
  let content = '';
  for (const { text } of texts) {
    starts.push(content.length);
    if (content.length + text.length < MAX_LINTED) content += `${text}\n\n`;
  }
  const { messages } = await lintSource({
    source: { filePath: '/page.html', content, contentType: 'text', ext: '.html' },
    options: { config: { rules: [{ id: 'preset', rule: creator }] }, locale: 'en', maskSecrets: false },
  });
  const found = new Map<number, Leak[]>();
  for (const { range, type, messageId } of messages) {
    if (type !== 'message') continue;
    const index = starts.findLastIndex((start) => start <= range[0]);
    const leaky = texts[index];
    const start = starts[index]!;
    if (!leaky) continue;
    const secret = content.slice(range[0], range[1]);
    // Addresses with a password are judged by our own rule, which knows those of documentation.
    if (
      isStandIn(secret) ||
      (leaky.kind === 'code' && isMadeUp(secret)) ||
      /connection|basic/i.test(messageId)
    )
      continue;
    const leak: Leak = {
      issueType: /private.?key/i.test(messageId) ? 'exposed-private-key' : 'exposed-credential',
      noun: 'a key or token',
      from: range[0] - start,
      to: Math.min(range[1] - start, leaky.text.length),
      quotable: 4,
      severity: 'critical',
      confidence: 90,
      suggestion: WITHDRAW,
    };
    found.set(index, [...(found.get(index) ?? []), leak]);
  }
  return found;
}

function labelOf({ kind, name, element }: HiddenText): string {
  if (kind !== 'attribute') return '';
  const field =
    attributeOf(element, 'name') ?? attributeOf(element, 'id') ?? attributeOf(element, 'property') ?? '';
  return name === 'value' || name === 'content' ? field : name!.replace(/^data-/, '');
}

const describe = ({ noun, severity, issueType, suggestion, confidence }: Leak, where: string) => ({
  title: `Given away: ${noun}`,
  description: `There is ${noun} ${where}, where everybody can read it.`,
  severity,
  issueType,
  suggestion,
  confidence,
});

function shownFinding(leak: Leak, passage: Passage, pageText: string): DraftFinding {
  const from = passage.from + leak.from;
  const to = Math.min(passage.from + leak.to, from + Math.max(leak.quotable, 4));
  return { ...describe(leak, 'in the text of the page'), ...quoteOf(pageText, from, to) };
}

const hiddenFinding = (leak: Leak, place: HiddenText, nth: number, selector: string): DraftFinding => ({
  ...describe(leak, placeNameOf(place)),
  htmlSelector: selector,
  targetElementXpath: place.xpath,
  occurrence: nth + 1,
  findingType: 'page',
  isPageLevel: true,
});
