import { md5 } from '../../../lib/ids.ts';
import type { DraftFinding } from '../../../shapes/agents/execution.ts';
import { attributeOf, type HiddenText, labelOf, placeNameOf } from '../html-page.ts';
import { isMarked, type Passage, passagesOf, quoteOf } from '../passages.ts';
import type { ReviewedPage } from '../reviewed-page.ts';
import { isTeaching } from '../teaching-page.ts';
import type { Detector, Hit, PageOfDetector, Surroundings } from './detector.ts';
import { emails, ownDomainsOf } from './emails.ts';
import { identityNumbers } from './identity-numbers.ts';
import { cards, ibans } from './payment.ts';
import { birthDates, healthData, homeAddresses } from './personal-details.ts';
import { phones } from './phones.ts';

/** By precedence: a detector loses hits that overlap with those of an earlier one. */
const DETECTORS: readonly Detector[] = [
  ...[cards, ibans, emails, identityNumbers],
  ...[birthDates, phones, homeAddresses, healthData],
];
const MAX_FINDINGS = 100;
/** Number of persons from which on their data on a page is a list. */
const MANY = 10;
/** Findings of one kind in one hidden place, which may be a list of customers. */
const MAX_IN_PLACE = 3;
/** Most passages between a cell and the heading of its column. */
const HEAD_DISTANCE = 60;
/** Characters of a passage before data that tell enough about it. */
const OWN_WORDS = 20;
/** Characters of harmful data in a quote: enough to find the place. */
const SHORT_QUOTE_CHARS = 4;

/** Finds data about private persons in the visible text of a page and in its HTML. */
export function findPersonalData({ url, words, html }: ReviewedPage): DraftFinding[] {
  const canonical = html.elements.flatMap((element) => {
    const isCanonical = element.tagName === 'link' && attributeOf(element, 'rel') === 'canonical';
    if (isCanonical) return attributeOf(element, 'href') ?? [];
    return attributeOf(element, 'property') === 'og:url' ? (attributeOf(element, 'content') ?? []) : [];
  });
  const page = {
    ownDomains: ownDomainsOf(`${words.text} ${html.source}`, [url, ...canonical]),
    offered: offeredAddresses(html),
  };
  const passages = passagesOf(words);
  const isTaught = isTeaching(url, words, html, passages);
  const shown = passages.flatMap((passage, index) => {
    const surroundings = { ...ofPassage(passage, index, passages, words.text), isTaught };
    return detect(surroundings, page).map((hit): DraftFinding => {
      const from = passage.from + hit.from;
      const to = passage.from + hit.to;
      const isHarmful = hit.severity === 'critical' || hit.severity === 'low';
      const quote = isHarmful
        ? quoteOf(words.text, from, Math.min(to, from + SHORT_QUOTE_CHARS))
        : quoteOf(words.text, from, to);
      return { ...describe(hit, 'on the page', passage.text), ...quote };
    });
  });
  const seen = bare(words.text);
  const hidden = html.hidden.flatMap((place) =>
    ofHidden(place, page, isTaught, seen, html.selectorOf(place.element)),
  );
  return [...asLists(shown), ...hidden].slice(0, MAX_FINDINGS);
}

/** Gives data of many persons on a page one cause: a list that was published. */
function asLists(findings: DraftFinding[]): DraftFinding[] {
  const ofType = Map.groupBy(findings, ({ issueType }) => issueType);
  return findings.map((finding) =>
    ofType.get(finding.issueType)!.length < MANY
      ? finding
      : { ...finding, cause: `personal data ${finding.issueType} list` },
  );
}

/** Addresses in `mailto:` links, where a site offers them on purpose. */
function offeredAddresses({ elements }: ReviewedPage['html']): Set<string> {
  return new Set(
    elements.flatMap((element) => {
      const href = element.tagName === 'a' ? (attributeOf(element, 'href')?.trim() ?? '') : '';
      if (!/^mailto:/i.test(href)) return [];
      const address = href.slice(7).split('?')[0]!;
      try {
        return [decodeURIComponent(address).toLowerCase()];
      } catch {
        return [address.toLowerCase()];
      }
    }),
  );
}

function detect(surroundings: Surroundings, page: PageOfDetector): Hit[] {
  const hits: Hit[] = [];
  for (const detector of DETECTORS) {
    for (const hit of detector(surroundings, page)) {
      if (!hits.some((other) => other.from < hit.to && hit.from < other.to)) hits.push(hit);
    }
  }
  return hits.sort((one, other) => one.from - other.from);
}

function ofPassage(
  passage: Passage,
  index: number,
  passages: Passage[],
  pageText: string,
): Omit<Surroundings, 'isTaught'> {
  const { text, from } = passage;
  // Only cells of tables have headings that apply to them.
  const isCell = text.length <= 60;
  const heads = isCell
    ? passages
        .slice(Math.max(0, index - HEAD_DISTANCE), index)
        .filter(
          (one) => one.text.length <= 30 && (isMarked(one, 0, 'heading') || one === passages[index - 1]),
        )
        .map((one) => one.text)
    : [];
  return {
    text,
    // A short beginning, such as that of a cell, needs what precedes it; a longer one speaks for itself.
    before: (at, length = 60) =>
      pageText.slice(Math.max(at >= OWN_WORDS ? from : 0, from + at - length), from + at),
    around: (at) =>
      sentenceAround(text, at) + (isCell ? ` ${passages[index - 1]?.text.slice(-80) ?? ''}` : ''),
    heads,
    isShown: true,
    isCode: isMarked(passage, 0, 'code'),
    isOrganization: false,
  };
}

function sentenceAround(text: string, at: number): string {
  const begin = Math.max(text.lastIndexOf('. ', at) + 1, at - 200, 0);
  const end = text.indexOf('. ', at + 15);
  return text.slice(begin, end < 0 || end > at + 200 ? at + 200 : end + 1);
}

function ofHidden(
  place: HiddenText,
  page: PageOfDetector,
  isTaught: boolean,
  seen: string,
  selector: string,
): DraftFinding[] {
  if (
    place.kind === 'style' ||
    /^(placeholder|pattern|srcset|src|title|alt|aria-label)$/.test(place.name ?? '')
  )
    return [];
  if (place.element.tagName === 'code' || place.element.tagName === 'pre') return [];
  if (place.name === 'href' && !/^mailto:/i.test(place.text)) return [];
  const text = place.text.slice(0, 500_000);
  const label = place.kind === 'attribute' ? `${labelOf(place)}: `.replace(/[-_]/g, ' ') : '';
  const surroundings: Surroundings = {
    text,
    before: (at, length = 60) => `${label}${text.slice(Math.max(0, at - length), at)}`.slice(-length),
    around: (at) => `${label} ${text.slice(Math.max(0, at - 150), at + 150)}`,
    heads: [],
    isShown: false,
    isCode: false,
    isTaught,
    isOrganization: place.kind === 'linked-data' && !/"@type"\s*:\s*"(Person|Patient|Customer)"/.test(text),
  };
  const hits = detect(surroundings, page).filter((hit) => !seen.includes(bare(text.slice(hit.from, hit.to))));
  const where = placeNameOf(place);
  return hits.flatMap((hit, index) => {
    const nth = hits.slice(0, index).filter(({ kind }) => kind === hit.kind).length + 1;
    if (nth > MAX_IN_PLACE) return [];
    const more = hits.filter(({ kind }) => kind === hit.kind).length - MAX_IN_PLACE;
    const often =
      nth === MAX_IN_PLACE && more > 0 ? ` There are ${more} more of the kind in the same place.` : '';
    const finding = describe(hit, where, text);
    return [
      {
        ...finding,
        description: finding.description + often,
        htmlSelector: selector,
        targetElementXpath: place.xpath,
        occurrence: nth,
        findingType: 'page' as const,
        isPageLevel: true,
      },
    ];
  });
}

const bare = (text: string): string => text.replace(/[^\p{L}\p{N}@.]/gu, '').toLowerCase();

const describe = ({ kind, noun, severity, confidence, from, to }: Hit, where: string, text: string) => ({
  // The hash tells persons apart; the data itself must not leave the page.
  cause: `personal data ${kind} ${md5(bare(text.slice(from, to)))}`,
  title: `Personal data: ${noun}`,
  description: `Personal data stands ${where}, where everybody can read it: ${noun}.`,
  severity,
  issueType: `pii-${kind}` as const,
  suggestion: 'Remove it from the page, or show it only to those who may see it.',
  confidence,
});
