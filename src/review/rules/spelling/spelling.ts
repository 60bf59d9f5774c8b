import type { PageWords } from '../../../lib/page-words/page-words.ts';
import type { DraftFinding } from '../../../shapes/agents/execution.ts';
import { DOCUMENT_TITLE, isMarked, nameOfLabel, placeOfLabel, quoteOf, runAt } from '../passages.ts';
import { assessWord, type WordContext } from './assess-word.ts';
import { isFunctionWord } from './formed-words.ts';
import type { Language } from './languages.ts';
import { type CheckedText, plain, type ReadTexts, readTexts } from './read-texts.ts';
import { repeatedWords } from './repeated-words.ts';
import { namesIn, type SiteWords, type WordUse } from './site-words.ts';
import type { Speller, WordLookup } from './speller.ts';
import { spellingRules } from './spelling-rules.ts';
import type { Token } from './word-tokens.ts';

const MAX_FINDINGS = 100;
/** Less certain findings of a page are folded into one. */
const SURE = 85;
/** Words that are more likely right than wrong are not reported. */
const POSSIBLE = 60;
const MAX_NAMED = 20;
/** A repeated word among the commonest is a slip; a rarer one may be a term or a name. */
const COMMON_RANK = 100;
const ARTICLE = /^(?:an?|the|be|been|if|i|were|which|when|then|than|but|into|its|so|these|those|there|they)$/;

export interface ProofreadOptions {
  /** Evidence of the whole site about its words. */
  siteWords?: SiteWords | undefined;
  /** Words that are spelled right by decision of the user, in any case. */
  ownWords?: readonly string[];
}

export interface ProofreadResult {
  findings: DraftFinding[];
  wordsChecked: number;
  /** Tags of the languages that were checked. */
  languages: string[];
  /** Words in languages without a dictionary, by tag; `und` if the language is unknown. */
  passedOver: ReadonlyMap<string, number>;
}

interface Context extends ReadTexts {
  pageText: string;
  counts: ReadonlyMap<string, number>;
  useOf(word: string): WordUse | undefined;
  isOwn(word: string): boolean;
}

interface Doubt {
  word: string;
  confidence: number;
}

/** Proofreads the words of a page in the languages that have dictionaries. */
export async function proofread(
  words: PageWords,
  speller: Speller,
  { siteWords, ownWords = [] }: ProofreadOptions = {},
): Promise<ProofreadResult> {
  const read = await readTexts(words, speller);
  const own = new Set(ownWords.map((word) => word.toLowerCase()));
  const inCode = codeNames(words);
  const context: Context = {
    ...read,
    pageText: words.text,
    counts: countForms(read.texts),
    useOf: (word) =>
      inCode.has(word)
        ? { pages: 1, contexts: 1, ...siteWords?.get(word), code: 'inline' }
        : siteWords?.get(word),
    isOwn: (word) => own.has(word.toLowerCase()) || own.has(word.toLowerCase().replace(/['’]s$/, '')),
  };
  const found = read.texts.flatMap((checked) => [
    ...misspelled(checked, context),
    ...repeated(checked, context),
  ]);
  const sure = found.filter(({ finding }) => finding.confidence! >= SURE).map(({ finding }) => finding);
  const doubts = found.filter(({ finding: { confidence } }) => confidence! >= POSSIBLE && confidence! < SURE);
  return {
    findings: [
      ...distinctFindings(sure).slice(0, MAX_FINDINGS),
      ...perhaps(doubts.map(({ word, finding }) => ({ word, confidence: finding.confidence! }))),
    ],
    wordsChecked: read.wordsChecked,
    languages: [...new Set(read.texts.map(({ language }) => language.tag))],
    passedOver: read.passedOver,
  };
}

/** The names that stand in code on the page itself. */
function codeNames({ text, runs }: PageWords): Set<string> {
  const code = runs.filter(({ marks }) => marks.includes('code')).map(({ from, to }) => text.slice(from, to));
  return namesIn(code.join(' '));
}

function countForms(texts: readonly CheckedText[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { tokens, language } of texts) {
    for (const { word } of tokens) {
      const form = plain(word, language);
      for (const key of [form, `${form.toLowerCase()}*`]) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return counts;
}

function misspelled(checked: CheckedText, context: Context) {
  const { tokens, text, language, passage } = checked;
  const lookups = context.lookups.get(language)!;
  const lookupOf = (token: Token | undefined) => token && lookups.get(plain(token.word, language));
  const strange = tokens.filter((token) => {
    const lookup = lookupOf(token);
    return lookup?.known === false && lookup.preferred.length === 0;
  }).length;
  return tokens.flatMap((token, index) => {
    const word = plain(token.word, language);
    const lookup = lookups.get(word);
    if (!lookup || lookup.known || context.isOwn(token.word) || context.isOwn(word)) return [];
    const wordContext: WordContext = {
      ...{ language, text, tokens, index, strange },
      isItalic: passage !== undefined && isMarked(passage, token.from, 'italic'),
      sameForm: context.counts.get(word) ?? 1,
      anyForm: context.counts.get(`${word.toLowerCase()}*`) ?? 1,
      isName: (at) => {
        const other = lookupOf(tokens[at]);
        return other !== undefined && !(language.hasCapitalNouns ? other.known : other.ordinary);
      },
      countOf: (one) => context.counts.get(`${one.toLowerCase()}*`) ?? 0,
      useOf: context.useOf,
    };
    const mistake = assessWord(word, lookup, wordContext);
    if (!mistake) return [];
    const [best = '', ...others] = mistake.suggestions;
    const more = others.length > 0 ? ` Other words that come near: ${others.slice(0, 2).join(', ')}.` : '';
    const isHeading = passage !== undefined && isMarked(passage, token.from, 'heading');
    const finding = {
      title: `Misspelled word: ${token.word}`,
      description: `“${token.word}” is in no dictionary${where(checked)}. It is likely meant to be “${best}”.${more}`,
      severity:
        isHeading || checked.label?.attribute === DOCUMENT_TITLE ? 'medium' : spellingRules.spelling.severity,
      issueType: 'spelling',
      suggestion: asWritten(token.word, best),
      confidence: mistake.confidence,
      cause: `spelling ${language.tag} ${token.word.toLowerCase()}`,
      ...placeOf(checked, token.from, token.to, context.pageText),
    } satisfies DraftFinding;
    return [{ word: token.word, finding: finding as DraftFinding }];
  });
}

function repeated(checked: CheckedText, context: Context) {
  const { passage, label, language, text } = checked;
  const checkedFrom = new Set(checked.tokens.map(({ from }) => from));
  return repeatedWords(text, language).flatMap(({ from, to, word }) => {
    const lookup = context.lookups.get(language)!.get(plain(word, language));
    if (!checkedFrom.has(from) || !lookup?.known || context.isOwn(word)) return [];
    // Two elements may begin and end with the same word.
    if (passage && runAt(passage, from) !== runAt(passage, to - 1)) return [];
    if (label && label.attribute !== DOCUMENT_TITLE && label.attribute !== 'alt') return [];
    const finding = {
      title: `Repeated word: ${word}`,
      description: `The word “${word}” stands twice in a row${where(checked)}.`,
      severity: spellingRules['repeated-word'].severity,
      issueType: 'repeated-word',
      suggestion: word,
      confidence: isGrammatical(word, language, lookup) ? 96 : 75,
      cause: `repeated-word ${language.tag} ${word}`,
      ...placeOf(checked, from, to, context.pageText),
    } satisfies DraftFinding;
    return [{ word: `${word} ${word}`, finding: finding as DraftFinding }];
  });
}

/** True for words of grammar: the list of the commonest English words is one of web pages, and holds `home`. */
const isGrammatical = (word: string, { tag }: Language, { rank = COMMON_RANK }: WordLookup): boolean =>
  tag === 'en' ? isFunctionWord(word) || ARTICLE.test(word) : rank < COMMON_RANK;

/** One finding that names the words which may be right. */
function perhaps(doubts: readonly Doubt[]): DraftFinding[] {
  const sorted = [...doubts].sort((one, other) => other.confidence - one.confidence);
  const words = [...new Set(sorted.map(({ word }) => word))];
  if (words.length === 0) return [];
  const named = words.slice(0, MAX_NAMED).map((word) => `“${word}”`);
  const more = words.length > MAX_NAMED ? ` and ${words.length - MAX_NAMED} more` : '';
  return [
    {
      title: spellingRules['possible-misspelling'].title,
      description: `These words are in no dictionary, or stand twice in a row, and may be right: ${named.join(', ')}${more}.`,
      severity: spellingRules['possible-misspelling'].severity,
      issueType: 'possible-misspelling',
      suggestion: 'Correct the words that are wrong, and add the others to the own words of the agent.',
      confidence: Math.min(SURE - 1, sorted[0]!.confidence),
      findingType: 'page',
      cause: 'possible-misspelling',
    },
  ];
}

const where = ({ label }: CheckedText): string => (label ? ` in the ${nameOfLabel(label)}` : '');

function placeOf(checked: CheckedText, from: number, to: number, pageText: string): Partial<DraftFinding> {
  const { passage, label } = checked;
  if (passage) return quoteOf(pageText, passage.from + from, passage.from + to);
  return { targetText: checked.text.slice(from, to), occurrence: 1, ...placeOfLabel(label!) };
}

function asWritten(word: string, suggestion: string): string {
  if (word.length > 1 && word === word.toUpperCase()) return suggestion.toUpperCase();
  const straight = word.replaceAll('’', "'");
  const article = /^\p{L}+'(?=\p{L}{2,})/u.test(straight) ? word.slice(0, straight.indexOf("'") + 1) : '';
  const ending = article === '' ? (/['’]s$/.exec(word)?.[0] ?? '') : '';
  const first = word.slice(article.length)[0] ?? '';
  const isCapital = first !== first.toLowerCase();
  return article + (isCapital ? suggestion[0]!.toUpperCase() + suggestion.slice(1) : suggestion) + ending;
}

/** Drops repeats: the text of a page may repeat its title, and a label an alternative text. */
function distinctFindings(findings: DraftFinding[]): DraftFinding[] {
  const seen = new Set<string>();
  return findings.filter(({ targetText, occurrence, htmlSelector, issueType }) => {
    const key = JSON.stringify([targetText, occurrence, htmlSelector, issueType]);
    return !seen.has(key) && seen.add(key);
  });
}
