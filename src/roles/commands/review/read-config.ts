import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { phrase } from '../../../lib/text/phrase.ts';
import { type ReviewConfig, reviewConfig, WrongUse } from './review-settings.ts';

const NAMES = ['redpen.config.ts', 'redpen.config.json'];

/**
 * Reads the configuration: the named file, or that of the folder, which need not exist. Throws WrongUse with all
 * problems of the file.
 */
export async function readConfigFile(folder: string, name: string | undefined): Promise<ReviewConfig> {
  const file = name === undefined ? findConfig(folder) : resolve(folder, name);
  if (file === undefined) return {};
  if (!existsSync(file)) throw new WrongUse(`There is no file ${file}: --config must name one.`);
  const value = await load(file);
  const parsed = reviewConfig.safeParse(value, { error: phrase });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys') return [`${pathOf(issue.path)}: ${issue.message}`];
    return issue.keys.map((key) => `${pathOf([...issue.path, key])}: there is no such setting`);
  });
  throw new WrongUse(`${file} is wrong:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
}

/** A file that a person may have saved with a byte order mark. */
export const readText = (path: string): string => readFileSync(path, 'utf8').replace(/^\uFEFF/, '');

function findConfig(folder: string): string | undefined {
  const found = NAMES.map((name) => join(folder, name)).filter((file) => existsSync(file));
  if (found.length > 1)
    throw new WrongUse(`There are ${found.join(' and ')}: remove one, or name one with --config.`);
  return found[0];
}

async function load(file: string): Promise<unknown> {
  try {
    if (file.endsWith('.json')) return JSON.parse(readText(file));
    const loaded = (await import(pathToFileURL(file).href)) as {
      default?: unknown;
      'module.exports'?: object;
    };
    // Node takes a file without `import` and `export` for a CommonJS module, whose exports are an empty object.
    const isEmpty = Object.keys(loaded['module.exports'] ?? { some: 1 }).length === 0;
    if (loaded.default === undefined || isEmpty) throw new Error('it has no default export');
    return loaded.default;
  } catch (error) {
    // A syntax error quotes the text around it, where a login for the pages may be.
    const why = (error as Error).message.replace(/, (?:\.{3})?".*is not valid JSON$/s, '');
    throw new WrongUse(`${file} cannot be read: ${why}`);
  }
}

const pathOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '') || 'the file';
