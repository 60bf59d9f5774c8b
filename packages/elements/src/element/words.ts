import { en } from '../locales/en.ts';

export type MessageKey = keyof typeof en;
/** A text for each plural form of a language; `count` chooses one. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
export type Messages = Readonly<Record<MessageKey, string | Forms>>;
export type Values = Readonly<Record<string, string | number>>;

const LOADERS: Readonly<Record<string, () => Promise<Messages>>> = {
  de: async () => (await import('../locales/de.ts')).de,
  fr: async () => (await import('../locales/fr.ts')).fr,
  es: async () => (await import('../locales/es.ts')).es,
  ja: async () => (await import('../locales/ja.ts')).ja,
  ar: async () => (await import('../locales/ar.ts')).ar,
};

export const LANGUAGES: readonly string[] = ['en', ...Object.keys(LOADERS)];

const RIGHT_TO_LEFT = /^(ar|dv|fa|he|ku-arab|ps|sd|ug|ur|yi)\b/i;

/** The texts, numbers and times of one locale. */
export class Words {
  readonly locale: string;
  readonly #messages: Messages;
  readonly #numbers: Intl.NumberFormat;
  readonly #plurals: Intl.PluralRules;

  constructor(locale: string, messages: Messages) {
    this.locale = locale;
    this.#messages = messages;
    this.#numbers = new Intl.NumberFormat(locale);
    this.#plurals = new Intl.PluralRules(locale);
  }

  get dir(): 'ltr' | 'rtl' {
    return RIGHT_TO_LEFT.test(this.locale) ? 'rtl' : 'ltr';
  }

  /** A message with its values; numbers are written as in the locale. */
  t(key: MessageKey, values: Values = {}): string {
    const found = this.#messages[key];
    const count = Number(values.count ?? 0);
    const text = typeof found === 'string' ? found : (found[this.#plurals.select(count)] ?? found.other);
    return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
      const value = values[name];
      return value === undefined ? whole : typeof value === 'number' ? this.number(value) : value;
    });
  }

  number(value: number): string {
    return this.#numbers.format(value);
  }

  list(items: readonly string[]): string {
    return new Intl.ListFormat(this.locale, { style: 'short' }).format(items);
  }

  /** Date and time, for titles and where the exact time counts. */
  time(at: number): string {
    return new Intl.DateTimeFormat(this.locale, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
  }

  /** For example `3 minutes ago`; dates of more than a week ago. */
  ago(at: number, now = Date.now()): string {
    const seconds = (at - now) / 1_000;
    const format = new Intl.RelativeTimeFormat(this.locale, { numeric: 'auto', style: 'short' });
    const units = [
      ['day', 86_400],
      ['hour', 3_600],
      ['minute', 60],
    ] as const;
    if (Math.abs(seconds) > 7 * 86_400)
      return new Intl.DateTimeFormat(this.locale, { dateStyle: 'medium' }).format(at);
    for (const [unit, size] of units)
      if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit);
    return format.format(0, 'second');
  }

  duration(ms: number): string {
    const seconds = Math.round(ms / 1_000);
    const [amount, unit] =
      seconds < 120 ? ([seconds, 'second'] as const) : ([Math.round(seconds / 60), 'minute'] as const);
    return new Intl.NumberFormat(this.locale, { style: 'unit', unit, unitDisplay: 'short' }).format(amount);
  }
}

const known = new Map<string, Words>();

/** The language of a locale that there are texts for, or English. */
export const languageOf = (locale: string): string => {
  const [language = ''] = locale.toLowerCase().split(/[-_]/);
  return language in LOADERS ? language : 'en';
};

const isLocale = (locale: string): boolean => {
  try {
    return Intl.getCanonicalLocales(locale).length === 1;
  } catch {
    return false;
  }
};

/** English numbers and dates go with English texts, also where the texts of another language are missing. */
const formatOf = (locale: string): string =>
  isLocale(locale) && languageOf(locale) === locale.toLowerCase().split('-')[0] ? locale : 'en';

/** The words of a locale if its texts are here already, and otherwise a promise of them. */
export function wordsFor(locale: string): Words | Promise<Words> {
  const format = formatOf(locale);
  const made = known.get(format);
  if (made) return made;
  const keep = (messages: Messages): Words => {
    const words = known.get(format) ?? new Words(format, messages);
    known.set(format, words);
    return words;
  };
  const load = LOADERS[languageOf(format)];
  return load ? load().then(keep) : keep(en);
}

export const ENGLISH = new Words('en', en);
