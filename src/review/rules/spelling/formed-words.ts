const PREFIX =
  /^(?:un|re|non|pre|post|multi|micro|macro|mini|mega|meta|auto|anti|cyber|tele|omni|inter|intra|over|under|out|sub|super|semi|co|de|dis|bio|eco|geo|neuro|photo|electro|hydro|thermo|ultra|hyper|self|pseudo)-?(?=.{4})/;
/** Words that do not join with others: `ofthe` is two words that run together. */
const FUNCTION_WORD =
  /^(?:the|of|in|to|and|for|with|our|your|is|are|will|be|by|on|at|from|this|that|please|you|we|it|as|or|can|has|have|was|not|all|more|their|my|his)$/;

export const isFunctionWord = (word: string): boolean => FUNCTION_WORD.test(word);

const PARTICLE = /^(?:in|on|up|by)$/;

interface KnownWords {
  has(word: string): boolean;
  ranks: ReadonlyMap<string, number>;
}

/** Prefixes that Romance languages and Dutch and German share. */
const SHARED_PREFIX =
  /^(?:re|ré|pre|pré|des|dé|dis|sub|super|inter|multi|auto|anti|micro|sobre|sovra|contra|mini|meta|méta|macro|tele|ciber|cyber|hyper|hiper|iper|ultra|semi|pseudo|post|trans|geo|bio)-?(?=.{4})/;
/** Pronouns that Spanish and Portuguese attach to a verb: `configurarla`, `mostrándole`. */
const SPANISH_CLITICS = /(?:me|te|se|nos|os)?(?:l[aeo]s?|me|te|se|nos|os)$/;
/** Verbs that German makes of any noun: paketieren, paketiertes. */
const GERMAN_VERB = /ier(?:en|t|te[mnrs]?|end|ende[mnrs]?|ung|ungen)$/;
const ITALIAN_CLITICS = /(?:(?:me|te|se|ce|ve|glie)?(?:l[aeio]|ne)|mi|ti|si|ci|vi|gli)$/;

/** True for a word of another language that is formed by rule from known ones. */
export function isFormedElsewhere(word: string, language: string, has: (word: string) => boolean): boolean {
  const stem = word.replace(SHARED_PREFIX, '');
  if (stem !== word && has(stem)) return true;
  // The spelling before the reform of 1990 is still in use: `objecto`, `correcção`.
  if (language.startsWith('pt')) return /[cp][ctç]/.test(word) && has(word.replace(/[cp](?=[ctç])/, ''));
  if (language === 'fr') return /[^sxz]s$/.test(word) && has(word.slice(0, -1));
  if (language === 'de') {
    const noun = word.replace(GERMAN_VERB, '');
    return noun !== word && noun.length > 3 && has(noun);
  }
  if (language === 'it') {
    const base = word.replace(ITALIAN_CLITICS, '');
    return base !== word && base.length > 3 && (has(base) || (base.endsWith('r') && has(`${base}e`)));
  }
  if (language !== 'es') return false;
  const base = word.replace(SPANISH_CLITICS, '');
  if (base === word || base.length < 4) return false;
  const bare = base
    .normalize('NFD')
    .replace(/\u0301/gu, '')
    .normalize('NFC');
  return has(base) || has(bare);
}

/** True for an English word that is formed by rule from known ones: `subtransaction`, `noding`, `tablespace`. */
export function isFormed(word: string, known: KnownWords): boolean {
  const { has } = known;
  const stem = word.replace(PREFIX, '');
  if (stem !== word && (has(stem) || isInflected(stem, known))) return true;
  return isInflected(word, known) || isJoined(word, known);
}

function isInflected(word: string, { has, ranks }: KnownWords): boolean {
  const ends = (suffix: string) => (word.endsWith(suffix) ? word.slice(0, -suffix.length) : '');
  // Rare short words join with an ending by chance: loo-ing.
  const isBase = (base: string) => (base.length > 3 || (base.length === 3 && ranks.has(base))) && has(base);
  const plural = ends('s');
  if (plural !== '' && !/(?:s|x|z|ch|sh|[^aeiou]y)$/.test(plural) && isBase(plural)) return true;
  for (const suffix of [
    'ed',
    'er',
    'ers',
    'ing',
    'able',
    'ability',
    'ize',
    'ized',
    'izing',
    'ization',
    'ist',
    'ism',
    'ish',
  ]) {
    const base = ends(suffix);
    if (base === '') continue;
    if (isBase(`${base}e`) || (!base.endsWith('e') && !doubles(base) && isBase(base))) return true;
    if (/([^aeiou])\1$/.test(base) && isBase(base.slice(0, -1)) && doubles(base.slice(0, -1))) return true;
  }
  if (ends('y') !== '' && isBase(`${ends('y')}e`)) return true;
  return ['ness', 'less', 'ly', 'like', 'wise'].some(
    (suffix) => ends(suffix).length >= 4 && isBase(ends(suffix)),
  );
}

/** True if the last letter of a verb is doubled before an ending: stop, plan. */
const doubles = (base: string): boolean => /^[^aeiou]*[aeiou][bdglmnprt]$/.test(base);

function isJoined(word: string, known: KnownWords): boolean {
  const isPart = (part: string) =>
    !isFunctionWord(part) &&
    (known.ranks.has(part) || part.length > 4) &&
    (known.has(part) || isInflected(part, known));
  for (let at = 3; at <= word.length - 2; at += 1) {
    const tail = word.slice(at);
    // Verbs join with particles, too: checkin, addon.
    const joins = tail.length > 2 ? isPart(tail) || (at > 3 && isFunctionWord(tail)) : PARTICLE.test(tail);
    if (joins && isPart(word.slice(0, at))) return true;
  }
  return false;
}
