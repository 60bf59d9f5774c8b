import { en } from './locales/en.ts';

export type Key = keyof typeof en;
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
export type Texts = Readonly<Record<Key, string | Forms>>;

export interface Words {
  locale: string;
  dir: 'ltr' | 'rtl';
  t(key: Key, values?: Readonly<Record<string, string | number>>): string;
  ago(at: number): string;
}

const LOADERS: Readonly<Record<string, () => Promise<{ texts: Texts }>>> = {
  de: () => import('./locales/de.ts'),
  fr: () => import('./locales/fr.ts'),
  es: () => import('./locales/es.ts'),
  ja: () => import('./locales/ja.ts'),
  ar: () => import('./locales/ar.ts'),
};

export function wordsOf(locale: string, texts: Texts = en): Words {
  // The first of each loads data of the browser, which takes longer than everything else until the pins are there.
  let plurals: Intl.PluralRules | undefined;
  let numbers: Intl.NumberFormat | undefined;
  const formOf = (count: number): Intl.LDMLPluralRule => {
    if (texts === en) return count === 1 ? 'one' : 'other';
    plurals ??= new Intl.PluralRules(locale);
    return plurals.select(count);
  };
  const format = (value: number): string => {
    if (texts === en && value < 1_000) return String(value);
    numbers ??= new Intl.NumberFormat(locale);
    return numbers.format(value);
  };
  return {
    locale,
    dir: locale.startsWith('ar') ? 'rtl' : 'ltr',
    t(key, values = {}) {
      const found = texts[key];
      const count = Number(values.count ?? 0);
      const text = typeof found === 'string' ? found : (found[formOf(count)] ?? found.other);
      return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
        const value = values[name];
        return value === undefined ? whole : typeof value === 'number' ? format(value) : value;
      });
    },
    ago(at) {
      const seconds = Math.round((at - Date.now()) / 1_000);
      const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
      if (seconds <= -86_400) return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(at);
      if (seconds <= -3_600) return format.format(Math.trunc(seconds / 3_600), 'hour');
      return format.format(Math.trunc(seconds / 60), 'minute');
    },
  };
}

/** The words of the language of the page or browser; English if they cannot be loaded. */
export async function loadWords(wanted: string | undefined): Promise<Words> {
  const locale = wanted || document.documentElement.lang || navigator.language;
  const load = LOADERS[locale.slice(0, 2).toLowerCase()];
  try {
    return load ? wordsOf(locale, (await load()).texts) : wordsOf('en');
  } catch {
    return wordsOf('en');
  }
}
