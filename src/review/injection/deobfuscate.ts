import { letterOf } from '../../lib/text/letter-digits.ts';

/** A text without obfuscation, as a model reads it. */
export interface DeobfuscatedText {
  text: string;
  /** The obfuscation in words that follow "hidden". */
  trick?: string;
}

const ENTITY =
  /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos|nbsp|shy|zwnj|zwj|colon|period|comma|excl|lpar|rpar|lbrack|rbrack|lowbar|newline|tab));/gi;
const NAMED: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '\u00ad',
  zwnj: '\u200c',
  zwj: '\u200d',
  colon: ':',
  period: '.',
  comma: ',',
  excl: '!',
  lpar: '(',
  rpar: ')',
  lbrack: '[',
  rbrack: ']',
  lowbar: '_',
  newline: '\n',
  tab: '\t',
};
/** Characters that browsers do not draw, bidirectional controls among them. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is meant alone.
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]+/g;
/** Tag characters encode invisible ASCII; runs of variation selectors encode a byte each. */
const TAGS = /[\u{e0020}-\u{e007e}]/gu;
const SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{8,}/gu;
const STYLED = /[\u24b6-\u24e9\u{1d400}-\u{1d7ff}\u{1f110}-\u{1f189}\uff01-\uff5e\u2100-\u214f]/gu;
const SPACED =
  /(?<![\p{L}\p{N}])(?:\p{L}(?:[ \t\u00a0]{1,3}|[ ]?[._*\-·|/]{1,2}[ ]?)){7,}\p{L}(?![\p{L}\p{N}])/gu;

/** Gap between words that are spaced out letter by letter. */
const WORD_GAP = /[ \t\u00a0]{2,}| [._*\-·|/] /;

const MIN_TAGS = 8;

/** Decodes the text that is smuggled in tag characters and variation selectors; empty if there is none. */
export function decodeInvisible(text: string): string {
  if (!/[\ufe00-\ufe0f\u{e0000}-\u{e01ef}]/u.test(text)) return '';
  const tags = (text.match(TAGS) ?? []).map((one) => String.fromCodePoint(one.codePointAt(0)! - 0xe0000));
  const bytes = (text.match(SELECTORS) ?? []).map((run) =>
    Buffer.from(
      Array.from(run, (one) => {
        const code = one.codePointAt(0)!;
        return code < 0xe0100 ? code - 0xfe00 : code - 0xe0100 + 16;
      }),
    ).toString('utf8'),
  );
  return [...(tags.length >= MIN_TAGS ? [tags.join('')] : []), ...bytes].join('\n');
}

/** Undoes entities, invisible characters, styled alphabets and gaps between letters. */
export function deobfuscate(source: string): DeobfuscatedText {
  let text = source;
  let trick: string | undefined;
  if (text.includes('&')) text = text.replace(ENTITY, decodeEntity);
  if (/[^\t\n\r -~]/.test(text)) {
    const drawn = text.replace(/[\u{e0000}-\u{e01ef}]/gu, '');
    // No script needs these characters between Latin letters.
    const split = /[a-z][\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]+[a-z]/i;
    if ((drawn.match(new RegExp(split, 'gi'))?.length ?? 0) >= 3)
      trick = 'with invisible characters in its words';
    if (/\u202e/.test(drawn)) trick = 'with its direction turned around';
    text = drawn.replace(INVISIBLE, '');
    if (STYLED.test(text)) {
      const styled = text.match(STYLED)?.length ?? 0;
      text = text.replace(STYLED, (one) => one.normalize('NFKC'));
      if (styled >= 12) trick ??= 'in letters of an unusual alphabet';
    }
  }
  const joined = text.replace(SPACED, (run) => {
    trick ??= 'in letters with gaps between them';
    const words = WORD_GAP.test(run) ? run.split(WORD_GAP) : [run];
    return words.map((word) => word.replace(/[^\p{L}]+/gu, '')).join(' ');
  });
  return { text: joined, ...(trick !== undefined && { trick }) };
}

function decodeEntity(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole;
  const code = decimal === undefined ? Number.parseInt(hex!, 16) : Number(decimal);
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    ? String.fromCodePoint(code)
    : whole;
}

const LOOKALIKES = new Map(
  Object.entries({
    а: 'a',
    в: 'b',
    с: 'c',
    е: 'e',
    һ: 'h',
    і: 'i',
    ј: 'j',
    к: 'k',
    м: 'm',
    н: 'h',
    о: 'o',
    р: 'p',
    ѕ: 's',
    т: 't',
    у: 'y',
    х: 'x',
    ԁ: 'd',
    ԛ: 'q',
    ԝ: 'w',
    ѵ: 'v',
    ь: 'b',
    α: 'a',
    β: 'b',
    ε: 'e',
    η: 'n',
    ι: 'i',
    κ: 'k',
    ν: 'v',
    ο: 'o',
    ρ: 'p',
    τ: 't',
    υ: 'u',
    χ: 'x',
    γ: 'y',
    ω: 'w',
    ӏ: 'l',
    ɡ: 'g',
    ı: 'i',
  }),
);
const MIXED =
  /[a-z]+[\u0131\u0261\u0370-\u052f][a-z\u0131\u0261\u0370-\u052f]*|[\u0370-\u052f]+[a-z][a-z\u0370-\u052f]*/g;
const LEET = /(?<![a-z0-9])(?:[a-z]{1,20}[013457@$]|[13457@$][a-z])(?:[a-z013457@$]{0,30}[a-z])(?![a-z0-9])/g;

/**
 * Lower case without accents, look-alikes (homoglyphs) and leet digits. Maps code unit to code unit, so that an offset
 * in the result is an offset in the text.
 */
export function fold(text: string): string {
  let lower = text.toLowerCase();
  if (lower.length !== text.length) lower = Array.from(text, lowerUnit).join('');
  if (/[^\t\n\r -~]/.test(lower)) {
    lower = lower
      .replace(/[\u00c0-\u024f\u0386-\u03ce\u0400-\u045f\u1e00-\u1eff]/g, (one) => one.normalize('NFD')[0]!)
      .replace(/[‘’‚‛`´]/g, "'")
      .replace(/[“”„«»]/g, '"')
      .replace(MIXED, (word) => word.replace(/[^a-z]/g, (one) => LOOKALIKES.get(one) ?? one));
  }
  return lower.replace(LEET, (word) => word.replace(/[013457@$]/g, (one) => letterOf[one]!));
}

const lowerUnit = (one: string): string => {
  const lower = one.toLowerCase();
  return lower.length === one.length ? lower : one;
};
