import { englishDataset, englishRecommendedTransformers, RegExpMatcher } from 'obscenity';
import type { PageWords } from '../../../lib/page-words/page-words.ts';
import { letterOf } from '../../../lib/text/letter-digits.ts';
import type { DraftFinding } from '../../../shapes/agents/execution.ts';
import { isMarked, nameOfLabel, type Passage, passagesOf, placeOfLabel, quoteOf } from '../passages.ts';
import { MENTION, type Offense, offensivePhrases, offensiveTerms } from './offensive-words.ts';
import { profanityRules } from './profanity-rules.ts';

const BY_SEVERITY: readonly Offense[] = ['threat', 'slur', 'sexual-content', 'insult', 'profanity'];
const MAX_FINDINGS = 100;

/** A matcher that undoes look-alike characters. */
const disguised = new RegExpMatcher({ ...englishDataset.build(), ...englishRecommendedTransformers });

interface Offending {
  offense: Offense;
  from: number;
  to: number;
  mild?: boolean;
}

/** Finds vulgar, insulting and hateful words on a page, those with a disguised spelling included. */
export function findProfanity(words: PageWords): DraftFinding[] {
  const shown = passagesOf(words).flatMap((passage) => {
    const isSkipped = (at: number) => isMarked(passage, at, 'code');
    const found = offensesIn(passage.text, isSkipped, (at) => isQuoted(passage, at));
    return found.map(
      (one): DraftFinding => ({
        ...describe(one, passage.text, ''),
        ...quoteOf(words.text, passage.from + one.from, passage.from + one.to),
      }),
    );
  });
  const labels = words.labels.flatMap((label) => {
    const found = offensesIn(
      label.text,
      () => false,
      () => false,
    );
    return found.map(
      (one): DraftFinding => ({
        ...describe(one, label.text, ` in the ${nameOfLabel(label)}`),
        targetText: label.text.slice(one.from, one.to),
        ...placeOfLabel(label),
      }),
    );
  });
  return [...shown, ...labels].slice(0, MAX_FINDINGS);
}

function isQuoted(passage: Passage, at: number): boolean {
  const { text } = passage;
  const before = text.slice(0, at);
  const isOpen =
    before.split('“').length > before.split('”').length ||
    (before.split('"').length - 1) % 2 === 1 ||
    /(^|\s)[‘'][^’']{0,40}$/.test(before) ||
    before.split('„').length > before.split('“').length;
  return isOpen || isMarked(passage, at, 'quote') || isMarked(passage, at, 'italic');
}

function offensesIn(
  text: string,
  isSkipped: (at: number) => boolean,
  isQuote: (at: number) => boolean,
): Offending[] {
  const found: Offending[] = [];
  const add = (one: Offending) => {
    if (isSkipped(one.from) || found.some((other) => other.from < one.to && one.from < other.to)) return;
    // A word that is quoted, or part of the title of a work, offends no reader.
    if (isQuote(one.from) && MENTION.test(around(text, one.from, 100))) return;
    if (/\bthe (word|term|slur|expletive|phrase|insult) ["“'‘]?$/i.test(text.slice(0, one.from))) return;
    found.push(one);
  };
  for (const { offense, pattern, unless } of offensivePhrases) {
    for (const match of text.matchAll(pattern)) {
      if (unless?.test(around(text, match.index, 80))) continue;
      add({ offense, from: match.index, to: match.index + match[0].length });
    }
  }
  for (const match of text.matchAll(/[\p{L}\p{N}@$!][\p{L}\p{M}\p{N}@$!*'’-]*[\p{L}\p{N}$@]/gu)) {
    const [token] = match;
    if (token.length > 40 || /@\w+\.\w/.test(token)) continue;
    const word = match[0].toLowerCase().replace(/['’]s$/, '');
    const plain = isDisguised(word) ? undisguised(word) : word;
    const offense = offenseOf(plain, token, text, match.index);
    if (offense) add({ ...offense, from: match.index, to: match.index + token.replace(/['’]s$/, '').length });
  }
  return joinAdjacent(found.sort((one, other) => one.from - other.from));
}

/** Joins adjacent offenses into one, with the highest severity of its parts. */
function joinAdjacent(found: Offending[]): Offending[] {
  const whole: Offending[] = [];
  for (const one of found) {
    const last = whole.at(-1);
    if (!last || one.from - last.to > 1) whole.push({ ...one });
    else {
      const worse =
        BY_SEVERITY.indexOf(one.offense) < BY_SEVERITY.indexOf(last.offense) ? one.offense : last.offense;
      whole[whole.length - 1] = { offense: worse, from: last.from, to: one.to };
    }
  }
  return whole;
}

function offenseOf(word: string, token: string, text: string, at: number) {
  for (const { offense, word: pattern, unless, only, isName, mild } of offensiveTerms) {
    if (!pattern.test(word)) continue;
    const near = around(text, at, 60);
    if (unless?.test(near) || (only && !only.test(near))) continue;
    if (isName && isNamed(token, text, at)) continue;
    return { offense, ...(mild && { mild }) };
  }
  return undefined;
}

/** True for a capitalized word within a sentence, or one before another capitalized word. */
function isNamed(token: string, text: string, at: number): boolean {
  if (!/^\p{Lu}\p{Ll}/u.test(token)) return false;
  const next = /^\S*\s+(\S)/.exec(text.slice(at))?.[1] ?? '';
  return !/(^|[.!?:]\s*["“']?)$/.test(text.slice(0, at).trimEnd()) || /\p{Lu}/u.test(next);
}

const around = (text: string, at: number, reach: number): string =>
  text.slice(Math.max(0, at - reach), at + reach);

/** True for a word with replaced or repeated letters; a number without letters is no word. */
const isDisguised = (word: string): boolean =>
  /[^\p{L}'’-]|(.)\1\1/u.test(word) && /\p{L}/u.test(word) && disguised.hasMatch(word);

const undisguised = (word: string): string =>
  word.replace(/[0134557@$!]/g, (char) => letterOf[char] ?? char).replace(/(.)\1{2,}/g, '$1');

const describe = ({ offense, mild, from, to }: Offending, text: string, where: string) => ({
  cause: `profanity ${text.slice(from, to).toLowerCase().replace(/\s+/g, ' ')}`,
  title: profanityRules[offense].title,
  description: `These words${where} are likely to offend readers.`,
  severity: mild ? ('low' as const) : profanityRules[offense].severity,
  issueType: offense,
  suggestion: 'Say it in other words, or leave it out.',
  confidence: mild ? 70 : 90,
});
