import type { DraftFinding, Severity } from '../../../shapes/agents/execution.ts';
import { causeOfAddress } from '../../causes/cause-of.ts';
import { attributeOf, type Element } from '../html-page.ts';
import {
  DOCUMENT_TITLE,
  isMarked,
  nameOfLabel,
  type Passage,
  passagesOf,
  placeOfLabel,
  quoteOf,
  runAt,
} from '../passages.ts';
import type { ReviewedPage } from '../reviewed-page.ts';
import { isTeaching } from '../teaching-page.ts';
import { placeholderAddress, placeholderImage } from './example-addresses.ts';
import { isAboutFiller, latinFiller } from './latin-filler.ts';
import { placeholderPhrases } from './placeholder-phrases.ts';
import { type PlaceholderKind, placeholderRules } from './placeholder-rules.ts';

const MAX_QUOTE_CHARS = 60;
const MAX_FINDINGS = 100;

const KINDS: Record<PlaceholderKind, { says: string; suggestion: string }> = {
  'lorem-ipsum': {
    says: 'is filler text that stands in for words still to be written',
    suggestion: 'Put the real text here, or remove the passage.',
  },
  'template-text': {
    says: 'is what a template has in the place of real words',
    suggestion: 'Put the real text here, or remove the passage.',
  },
  'unfilled-variable': {
    says: 'should have been replaced by a value before readers saw it',
    suggestion: 'Fill in the value, or give the variable a default.',
  },
  'editorial-note': {
    says: 'was meant for those who make the page and not for its readers',
    suggestion: 'Do what the note asks and remove it.',
  },
  'test-data': {
    says: 'is data for trying things out',
    suggestion: 'Replace it by real data, or remove it.',
  },
};

/** Texts by which type specimens show their fonts and sizes. */
const SPECIMEN = /^(h(eading)? ?[1-6]|the quick,? brown fox (jumps|jumped) over (the|a) lazy dogs?)\W*$/i;

/** The subjects of a page that decide what is a placeholder there. */
interface Context {
  /** True if the page is about filler text. */
  isAbout: boolean;
  isTaught: boolean;
  /** True if the page shows fonts and sizes. */
  isSpecimen: boolean;
}

/** A phrase without what differs from page to page: case, numbers, and all but its first words. */
const normalized = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\p{N}+/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 80);

/** Finds placeholders for content still to come: in text, attributes, pictures and links. */
export function findPlaceholders({ url, words, html }: ReviewedPage): DraftFinding[] {
  const passages = passagesOf(words);
  const context: Context = {
    isAbout: false,
    isTaught: isTeaching(url, words, html, passages),
    isSpecimen: passages.filter(({ text }) => SPECIMEN.test(text)).length >= 3,
  };
  const titles = [
    ...words.labels.filter(({ attribute }) => attribute === DOCUMENT_TITLE).map(({ text }) => text),
    ...passages
      .filter((one) => isMarked(one, 0, 'heading'))
      .slice(0, 2)
      .map(({ text }) => text),
  ];
  // A page about filler text quotes it.
  context.isAbout = titles.some(isAboutFiller);
  const { isAbout } = context;
  const found = passages.flatMap((passage) => ofPassage(passage, words.text, context));
  const labels = words.labels.flatMap((label) => {
    if (label.attribute === 'placeholder') return [];
    const hit =
      latinFiller(label.text).length > 0 && !isAbout
        ? { kind: 'lorem-ipsum' as const }
        : ofText(label.text, context);
    if (!hit || (label.attribute === 'value' && hit.kind !== 'lorem-ipsum')) return [];
    return [
      {
        ...describe(hit.kind, label.text, ` It stands in the ${nameOfLabel(label)}.`),
        ...(label.attribute === DOCUMENT_TITLE && { severity: 'high' as const }),
        targetText: label.text.slice(0, MAX_QUOTE_CHARS).trim(),
        ...placeOfLabel(label),
      } satisfies DraftFinding,
    ];
  });
  const elements = html.elements.flatMap((element) => ofElement(element, url, html.selectorOf, context));
  return [...found, ...labels, ...elements].slice(0, MAX_FINDINGS);
}

function ofPassage(passage: Passage, pageText: string, context: Context): DraftFinding[] {
  const { text } = passage;
  const { isAbout } = context;
  if (text.length > 20_000) return [];
  const isQuoted = (at: number) => {
    const { marks, lang } = runAt(passage, at);
    return marks.includes('code') || (isAbout && marks.includes('quote')) || lang.toLowerCase() === 'la';
  };
  const [filler] = latinFiller(text).filter((one) => !isQuoted(one.from));
  if (filler && !isAbout && !isQuotation(text, filler.from)) {
    return [report('lorem-ipsum', passage, pageText, filler.from, filler.to)];
  }
  const hit = ofText(text, context, isQuoted);
  return hit ? [report(hit.kind, passage, pageText, hit.from, hit.to)] : [];
}

/** True if an opening quotation mark within the sentence precedes the offset. */
const isQuotation = (text: string, at: number): boolean =>
  /["“„«‘']$/.test(text.slice(0, at).trimEnd()) && at > 20;

function ofText(text: string, context: Context, isQuoted: (at: number) => boolean = () => false) {
  if (context.isSpecimen && SPECIMEN.test(text)) return undefined;
  for (const { kind, pattern, whole, unless, isOfLessons } of placeholderPhrases) {
    if (isOfLessons && context.isTaught) continue;
    const match = pattern.exec(text.trim());
    if (!match) continue;
    if (whole && match[0].length !== text.trim().length) continue;
    if (unless?.test(text)) continue;
    const at = text.indexOf(match[0]) + (match[0].length - match[0].trimStart().length);
    if (isQuoted(at) || (!whole && isQuotation(text, at))) continue;
    return { kind, from: at, to: text.indexOf(match[0]) + match[0].trimEnd().length };
  }
  return undefined;
}

function report(
  kind: PlaceholderKind,
  passage: Passage,
  pageText: string,
  from: number,
  to: number,
): DraftFinding {
  const end = Math.min(to, cutAtWord(passage.text, from, from + MAX_QUOTE_CHARS));
  const isProminent =
    isMarked(passage, from, 'heading') || /[$€£]|\b(price|contract|terms|warranty)\b/i.test(passage.text);
  return {
    ...describe(kind, passage.text.slice(from, to)),
    ...(isProminent && kind !== 'editorial-note' ? { severity: 'high' as const } : {}),
    ...quoteOf(pageText, passage.from + from, passage.from + end),
  };
}

function cutAtWord(text: string, from: number, end: number): number {
  if (end >= text.length) return text.length;
  const space = text.lastIndexOf(' ', end);
  return space > from ? space : end;
}

function describe(kind: PlaceholderKind, text: string, more = '') {
  const { says, suggestion } = KINDS[kind];
  // Filler is seen at once by every visitor; a note of an editor by few.
  const { title, severity } = placeholderRules[kind];
  const shown =
    text.length > MAX_QUOTE_CHARS ? `${text.slice(0, cutAtWord(text, 0, MAX_QUOTE_CHARS))} …` : text;
  return {
    title,
    description: `“${shown}” ${says}.${more}`,
    severity: severity as Severity,
    issueType: kind as string,
    cause: `placeholder ${kind} ${normalized(text)}`,
    suggestion,
    confidence: kind === 'test-data' ? 80 : 95,
  };
}

const ofAddress = (issueType: 'placeholder-image' | 'placeholder-link') => ({
  title: placeholderRules[issueType].title,
  severity: placeholderRules[issueType].severity,
  issueType,
});

function ofElement(
  element: Element,
  pageUrl: string,
  selectorOf: (element: Element) => string,
  context: Context,
): DraftFinding[] {
  const common = () => ({ htmlSelector: selectorOf(element), confidence: 90 });
  const causeOf = (address: string) => causeOfAddress(URL.parse(address, pageUrl)?.href ?? address);
  const image = placeholderImage(element);
  if (image) {
    return [
      {
        ...common(),
        cause: causeOf(image),
        description: `The picture ${image} stands in for one still to come.`,
        ...ofAddress('placeholder-image'),
        suggestion: 'Put the real picture here, or remove it.',
        findingType: 'pin',
      },
    ];
  }
  const address = context.isTaught ? undefined : placeholderAddress(element);
  if (address) {
    return [
      {
        ...common(),
        cause: causeOf(address),
        description: `The link leads to ${address}, which is an example and no real address.`,
        ...ofAddress('placeholder-link'),
        suggestion: 'Put the real address here, or remove the link.',
        findingType: 'pin',
      },
    ];
  }
  if (element.tagName !== 'meta') return [];
  const content = attributeOf(element, 'content') ?? '';
  const name = attributeOf(element, 'name') ?? attributeOf(element, 'property') ?? '';
  if (
    !/^(description|author|keywords|og:(title|description|site_name)|twitter:(title|description))$/i.test(
      name,
    )
  )
    return [];
  const hit =
    latinFiller(content).length > 0 && !context.isAbout
      ? { kind: 'lorem-ipsum' as const }
      : ofText(content, context);
  if (!hit) return [];
  return [
    {
      ...describe(hit.kind, content, ` It stands in the meta tag ${name}.`),
      ...common(),
      findingType: 'page',
    },
  ];
}
