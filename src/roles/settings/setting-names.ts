import { nearestTo } from '../../lib/text/edit-distance.ts';
import { mayBeShown, type Problem } from './bad-settings.ts';

/** Names that other programs use for the purpose of one of our settings. */
const FOREIGN_NAMES: Readonly<Record<string, string>> = {
  CHROME_BIN: 'CHROME_PATH',
  CHROMIUM_PATH: 'CHROME_PATH',
  CLAUDE_API_KEY: 'ANTHROPIC_API_KEY',
  DATABASE_URI: 'DATABASE_URL',
  GEMINI_API_KEY: 'GOOGLE_GENERATIVE_AI_API_KEY',
  GOOGLE_API_KEY: 'GOOGLE_GENERATIVE_AI_API_KEY',
  OPENAI_API_BASE: 'OPENAI_BASE_URL',
  OPENAI_API_BASE_URL: 'OPENAI_BASE_URL',
  OPENAI_API_KEYS: 'OPENAI_API_KEY',
  POSTGRES_URL: 'DATABASE_URL',
  REDIS_URI: 'REDIS_URL',
};

/** Settings of other programs with a similar name and a different purpose. */
const UNRELATED = ['CHROMA_PATH'];

const MIN_CHARS = 9;

/** Edit distance up to which a name counts as misspelled. Short names are close to too many others. */
const maxDistanceOf = (name: string): number => (name.length < MIN_CHARS ? 0 : name.length <= 12 ? 1 : 2);

export interface NamesFound {
  problems: Problem[];
  /** Sentences about variables that have no effect and may be meant for another program. */
  warnings: string[];
}

/**
 * Finds misspelled settings. An unknown name that begins with `REDPEN_` is a problem, and so is a name similar to a
 * setting that is not set, unless another program is known to use it.
 */
export function checkNames(
  present: Readonly<Record<string, string>>,
  settings: readonly string[],
  ignored: readonly string[],
): NamesFound {
  const problems: Problem[] = [];
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(present)) {
    if (settings.includes(name) || ignored.includes(name) || UNRELATED.includes(name)) continue;
    const inCapitals = name.toUpperCase();
    if (inCapitals.startsWith('REDPEN_')) {
      const near = findSimilar(inCapitals, [...settings, ...ignored]);
      // Without a similar setting, the value may be secret.
      problems.push({ setting: name, value: near && shownFor(near.text, value), rule: wordsOf(near?.text) });
      continue;
    }
    const elsewhere = FOREIGN_NAMES[name];
    const meant = elsewhere ?? nearestTo(inCapitals, settings, maxDistanceOf)?.text;
    if (meant === undefined || meant in present) continue;
    if (elsewhere !== undefined || inCapitals.startsWith(meant))
      warnings.push(`${name} is set and means nothing to Redpen, which reads ${meant}.`);
    else problems.push({ setting: name, value: shownFor(meant, value), rule: wordsOf(meant) });
  }
  return { problems, warnings };
}

/** The setting that a name with our prefix means: the one without the prefix, otherwise one with a similar name. */
function findSimilar(name: string, known: readonly string[]): { text: string } | undefined {
  const rest = name.slice('REDPEN_'.length);
  if (known.includes(rest)) return { text: rest };
  const maxWrong = Math.max(1, Math.floor(rest.length / 3));
  return nearestTo(name, known, ({ length }) => Math.min(maxWrong, Math.ceil(length / 5)));
}

const wordsOf = (meant: string | undefined): string =>
  `no such setting${meant === undefined ? '' : `; did you mean ${meant}?`}`;

/** Hides the value if that of the intended setting is secret, which the misspelled name may not show. */
const shownFor = (meant: string, value: string): string | undefined =>
  mayBeShown(meant, value) ? value : undefined;
