import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import { md5 } from '../../../lib/ids.ts';
import type { DraftFinding } from '../../../shapes/agents/execution.ts';
import { type HiddenText, labelOf, placeNameOf } from '../html-page.ts';
import { isMarked, type Passage, passagesOf, quoteOf } from '../passages.ts';
import type { ReviewedPage } from '../reviewed-page.ts';
import { isTeaching } from '../teaching-page.ts';
import { internalLeaks } from './internals.ts';
import { isPlaceholder, isPublished, type Leak, type LeakSource, looksInvented, REVOKE } from './leak.ts';
import { passwordLeaks } from './passwords.ts';
import { tokenLeaks } from './tokens.ts';

const MAX_FINDINGS = 100;
const MAX_IN_PLACE = 5;
const MAX_LINTED = 2_000_000;
/** Leaks over many lines, such as a stack trace, that are reported once. */
const ONE_EACH =
  /^(stack-trace|debug-output|internal-path|source-map|directory-listing|internal-comment|confidential-text)$/;

/** Finds secrets and internals of an organization that a page leaks. */
export async function findSecrets({ url, words, html }: ReviewedPage): Promise<DraftFinding[]> {
  const ownHost = URL.parse(url)?.host ?? '';
  const passages = passagesOf(words);
  const places = html.hidden.filter(isOfInterest);
  const isTaught = isTeaching(url, words, html, passages);
  const texts: LeakSource[] = [
    ...passages.map((passage): LeakSource => {
      const isSample = isMarked(passage, 0, 'code') && !isMarked(passage, 0, 'output');
      const kind = isSample ? 'code' : 'words';
      const isPreformatted = isMarked(passage, 0, 'code');
      return { text: passage.text, kind, label: '', ownHost, isTaught, isPreformatted };
    }),
    ...places.map(
      (place): LeakSource => ({
        ...{ text: place.text, kind: place.kind, label: labelOf(place), ownHost, isTaught },
        isPreformatted: false,
      }),
    ),
  ];
  const linted = await lintAll(texts);
  const shownText = words.text;
  const findings: DraftFinding[] = [];
  let previous: string | undefined;
  for (const [index, source] of texts.entries()) {
    const leaks = distinct([
      ...tokenLeaks(source),
      ...passwordLeaks(source),
      ...(linted.get(index) ?? []),
      ...internalLeaks(source),
    ]);
    const passage = passages[index];
    if (passage) {
      for (const leak of leaks) {
        // Each line of a stack trace is a passage.
        if (ONE_EACH.test(leak.issueType) && previous === leak.issueType) continue;
        findings.push(shownFinding(leak, passage, shownText, causeOf(leak, source)));
      }
      previous = leaks[0]?.issueType;
      continue;
    }
    const place = places[index - passages.length]!;
    const unseen = leaks.filter((leak) => !shownText.includes(single(source.text.slice(leak.from, leak.to))));
    findings.push(
      ...unseen.slice(0, MAX_IN_PLACE).map((leak, nth) => ({
        ...hiddenFinding(leak, place, nth, html.selectorOf(place.element)),
        cause: causeOf(leak, source),
      })),
    );
  }
  return findings.slice(0, MAX_FINDINGS);
}

const single = (text: string): string => text.replace(/\s+/g, ' ').trim();

function isOfInterest({ kind, name, text, element }: HiddenText): boolean {
  if (kind === 'attribute')
    return !/^(placeholder|alt|srcset|aria-label|pattern|autocomplete)$/.test(name!) && text.length < 20_000;
  if (/^(code|pre|samp|kbd|tt|var)$/.test(element.tagName)) return false;
  return true;
}

/** Drops leaks that overlap with an earlier one; the more specific rules come first. */
function distinct(leaks: Leak[]): Leak[] {
  const kept: Leak[] = [];
  const hasTrace = leaks.some(({ issueType }) => issueType === 'stack-trace');
  for (const leak of leaks) {
    const isKnown = kept.some(
      (one) =>
        (one.from < leak.to && leak.from < one.to) ||
        (one.issueType === leak.issueType && ONE_EACH.test(one.issueType)),
    );
    // The lines of a stack trace are paths.
    if (hasTrace && leak.issueType === 'internal-path') continue;
    if (!isKnown) kept.push(leak);
  }
  return kept.sort((one, other) => one.from - other.from);
}

/** Leaks by secretlint, by index of their text. All texts go through one call, since each call is slow. */
async function lintAll(texts: readonly LeakSource[]): Promise<Map<number, Leak[]>> {
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
    const source = texts[index];
    const start = starts[index]!;
    if (!source) continue;
    const secret = content.slice(range[0], range[1]);
    // A rule of our own checks connection strings, and knows those of documentation.
    if (
      isPlaceholder(secret) ||
      isPublished(secret) ||
      ((source.kind === 'code' || source.isTaught) && (looksInvented(secret) || /_test_/.test(secret))) ||
      /connection|basic/i.test(messageId)
    )
      continue;
    const leak: Leak = {
      issueType: /private.?key/i.test(messageId) ? 'exposed-private-key' : 'exposed-credential',
      noun: 'a key or token',
      from: range[0] - start,
      to: Math.min(range[1] - start, source.text.length),
      quotable: 4,
      severity: 'critical',
      confidence: 90,
      suggestion: REVOKE,
    };
    found.set(index, [...(found.get(index) ?? []), leak]);
  }
  return found;
}

const describe = ({ noun, severity, issueType, suggestion, confidence }: Leak, where: string) => ({
  title: `Given away: ${noun}`,
  description: `There is ${noun} ${where}, where everybody can read it.`,
  severity,
  issueType,
  suggestion,
  confidence,
});

/** The kind and the hash of what is leaked: the value itself must not leave the page. */
const causeOf = ({ issueType, from, to }: Leak, { text }: LeakSource): string =>
  `leak ${issueType} ${md5(single(text.slice(from, to)))}`;

function shownFinding(leak: Leak, passage: Passage, pageText: string, cause: string): DraftFinding {
  const from = passage.from + leak.from;
  const to = Math.min(passage.from + leak.to, from + Math.max(leak.quotable, 4));
  return { ...describe(leak, 'in the text of the page'), ...quoteOf(pageText, from, to), cause };
}

const hiddenFinding = (leak: Leak, place: HiddenText, nth: number, selector: string): DraftFinding => ({
  ...describe(leak, placeNameOf(place)),
  htmlSelector: selector,
  targetElementXpath: place.xpath,
  occurrence: nth + 1,
  findingType: 'page',
  isPageLevel: true,
});
