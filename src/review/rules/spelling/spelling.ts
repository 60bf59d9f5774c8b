import type { DraftFinding } from '../../../shapes/agents/execution.ts';
import type { Label, PageWords } from '../../gather/reading/page-words.ts';
import {
  DOCUMENT_TITLE,
  isLanguage,
  isMarked,
  nameOfLabel,
  type Passage,
  passagesOf,
  placeOfLabel,
  quoteOf,
  runAt,
} from '../passages.ts';
import { latinFiller } from '../placeholder/latin-filler.ts';
import { assessWord, type WordContext } from './assess-word.ts';
import { isForeign, isLatin, UNDETERMINED } from './foreign-text.ts';
import type { Speller, WordLookup } from './speller.ts';
import { doubledWords, type Token, tokensOf } from './word-tokens.ts';

const MAX_FINDINGS = 100;
const MAX_WORDS = 20_000;

export interface ProofreadResult {
  findings: DraftFinding[];
  wordsChecked: number;
  /** Languages on the page that have no dictionary; `und` if the page names none. */
  skippedLanguages: string[];
}

interface CheckedText {
  text: string;
  tokens: Token[];
  passage?: Passage;
  label?: Label;
}

/** Proofreads the English words of a page. */
export async function proofread(words: PageWords, speller: Speller): Promise<ProofreadResult> {
  const skippedLanguages = new Set<string>();
  const isEnglish = (lang: string) => {
    if (isLanguage(lang, 'en')) return true;
    skippedLanguages.add(lang);
    return false;
  };
  const isReadable = ({ word }: Token) => {
    if (isLatin(word)) return true;
    skippedLanguages.add(UNDETERMINED);
    return false;
  };
  const found: CheckedText[] = [];
  for (const passage of passagesOf(words)) {
    const fillers = latinFiller(passage.text);
    const tokens = tokensOf(passage.text).filter((token) => {
      if (fillers.some(({ from, to }) => from <= token.from && token.to <= to)) return false;
      const run = runAt(passage, token.from);
      return !run.marks.includes('code') && isEnglish(run.lang) && isReadable(token);
    });
    if (tokens.length > 0) found.push({ text: passage.text, tokens, passage });
  }
  for (const label of words.labels) {
    // The value of a form field is the visitor's text.
    if (label.attribute === 'value' || !isEnglish(label.lang || words.lang)) continue;
    found.push({ text: label.text, tokens: tokensOf(label.text).filter(isReadable), label });
  }
  const read = found.flatMap(({ tokens }) => tokens).slice(0, MAX_WORDS);
  const distinct = [...new Set(read.map(({ word }) => plain(word)))];
  const answers = await speller.lookUp(distinct);
  const lookups = new Map(distinct.map((word, index) => [word, answers[index]!]));
  // A page may name no language, or a wrong one from its template.
  const isKnown = (word: string) => lookups.get(plain(word))?.known !== false;
  const isForeignPage = isForeign(read, isKnown) ?? false;
  const texts = found.filter(({ tokens }) => !(isForeign(tokens, isKnown) ?? isForeignPage));
  if (texts.length < found.length) skippedLanguages.add(UNDETERMINED);
  const all = texts.flatMap(({ tokens }) => tokens).slice(0, MAX_WORDS);
  const counts = countForms(all);
  const findings = texts.flatMap((checked) => [
    ...misspelled(checked, lookups, counts, words.text),
    ...doubled(checked, words.text)
      .filter(({ word }) => lookups.get(word)?.known !== false)
      .map(({ finding }) => finding),
  ]);
  return {
    findings: distinctFindings(findings).slice(0, MAX_FINDINGS),
    wordsChecked: all.length,
    skippedLanguages: [...skippedLanguages],
  };
}

/** The word as a dictionary lists it. */
const plain = (word: string): string =>
  word.replaceAll('’', "'").replace(/'s$|s'$/i, (end) => end.replace(/'s?/, ''));

function countForms(tokens: Token[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { word } of tokens) {
    for (const form of [plain(word), `${plain(word).toLowerCase()}*`])
      counts.set(form, (counts.get(form) ?? 0) + 1);
  }
  return counts;
}

function misspelled(
  checked: CheckedText,
  lookups: Map<string, WordLookup>,
  counts: Map<string, number>,
  pageText: string,
): DraftFinding[] {
  const strange = checked.tokens.filter(({ word }) => {
    const lookup = lookups.get(plain(word));
    return lookup?.known === false && lookup.preferred.length === 0;
  }).length;
  return checked.tokens.flatMap((token, index) => {
    const word = plain(token.word);
    const lookup = lookups.get(word);
    if (!lookup || lookup.known) return [];
    const context: WordContext = {
      text: checked.text,
      tokens: checked.tokens,
      index,
      isHeading: checked.passage !== undefined && isMarked(checked.passage, token.from, 'heading'),
      isItalic: checked.passage !== undefined && isMarked(checked.passage, token.from, 'italic'),
      sameForm: counts.get(word) ?? 1,
      anyForm: counts.get(`${word.toLowerCase()}*`) ?? 1,
      strange,
      isName: (at) =>
        checked.tokens[at] !== undefined && !lookups.get(plain(checked.tokens[at].word))?.ordinary,
    };
    const mistake = assessWord(word, lookup, context);
    if (!mistake) return [];
    const [best, ...others] = mistake.suggestions;
    const more = others.length > 0 ? ` Other words that come near: ${others.slice(0, 2).join(', ')}.` : '';
    const meant =
      best === undefined ? 'It is in no dictionary.' : `It is likely meant to be “${best}”.${more}`;
    return [
      {
        title: `Misspelt word: ${token.word}`,
        description: `“${token.word}” is not spelt as any dictionary has it${where(checked)}. ${meant}`,
        severity: context.isHeading || checked.label?.attribute === DOCUMENT_TITLE ? 'medium' : 'low',
        issueType: 'spelling',
        suggestion: best === undefined ? '' : asWritten(token.word, best),
        confidence: mistake.confidence,
        ...placeOf(checked, token.from, token.to, pageText),
      } satisfies DraftFinding,
    ];
  });
}

function doubled(checked: CheckedText, pageText: string): { word: string; finding: DraftFinding }[] {
  return doubledWords(checked.text).flatMap(({ from, to, word }) => {
    if (checked.passage) {
      const [first, last] = [runAt(checked.passage, from), runAt(checked.passage, to - 1)];
      const isEnglish = isLanguage(first.lang, 'en');
      if (!isEnglish || first.marks.includes('code')) return [];
      // Adjacent links or buttons may have the same words.
      if (first !== last && [...first.marks, ...last.marks].some((mark) => /link|field|heading/.test(mark))) {
        return [];
      }
    } else if (!isLanguage(checked.label!.lang, 'en')) return [];
    const shown = checked.text.slice(from, to);
    return [
      {
        word,
        finding: {
          title: `Repeated word: ${word}`,
          description: `The word “${word}” stands more than once in a row${where(checked)}.`,
          severity: 'low',
          issueType: 'repeated-word',
          suggestion: shown.split(' ')[0]!,
          confidence: 95,
          ...placeOf(checked, from, to, pageText),
        } satisfies DraftFinding,
      },
    ];
  });
}

const where = ({ label }: CheckedText): string => (label ? ` in the ${nameOfLabel(label)}` : '');

function placeOf(checked: CheckedText, from: number, to: number, pageText: string): Partial<DraftFinding> {
  const { passage, label } = checked;
  if (passage) return quoteOf(pageText, passage.from + from, passage.from + to);
  return { targetText: checked.text.slice(from, to), occurrence: 1, ...placeOfLabel(label!) };
}

function asWritten(word: string, suggestion: string): string {
  if (word.length > 1 && word === word.toUpperCase()) return suggestion.toUpperCase();
  const ending = /['’]s$/.exec(word)?.[0] ?? '';
  const isCapital = word[0] !== word[0]!.toLowerCase();
  return (isCapital ? suggestion[0]!.toUpperCase() + suggestion.slice(1) : suggestion) + ending;
}

/** Drops repeats: the text of a page may repeat its title, and a label an alternative text. */
function distinctFindings(findings: DraftFinding[]): DraftFinding[] {
  const seen = new Set<string>();
  return findings.filter(({ targetText, occurrence, htmlSelector, issueType }) => {
    const key = JSON.stringify([targetText, occurrence, htmlSelector, issueType]);
    return !seen.has(key) && seen.add(key);
  });
}
