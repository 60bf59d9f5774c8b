import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '..');

const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter(
    (entry) =>
      entry.isFile() && /(?<!\.test)\.ts$/.test(entry.name) && !entry.parentPath.includes('fixtures'),
  )
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  .sort();

const commentsOf = (file: string): string[] =>
  readFileSync(join(root, file), 'utf8').match(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm) ?? [];

/** Doc comments that begin without a subject. */
const OPENS_WITHOUT_SUBJECT = /^\/\*\*[\s*]*(Of|Whether|What|How|Whom|Whose)\b/;
/** Pronouns for processes, rows and callers, which have names. */
const UNNAMED = /\b(whoever|whomever|nobody|somebody)\b/i;

test('a comment begins with its subject, and uses no pronoun such as nobody or whoever', () => {
  const violations = sources.flatMap((file) =>
    commentsOf(file)
      .filter((comment) => OPENS_WITHOUT_SUBJECT.test(comment) || UNNAMED.test(comment))
      .map((comment) => `${file}: ${comment.trim()}`),
  );
  expect(violations).toEqual([]);
});

/** Folders with prompts. The signals of injections quote other people's words. */
const WITH_PROMPTS = /^src\/(review\/(?!injection\/)|memory\/|outside\/browser-agent\/)/;
const AVOIDED_IN_PROMPTS = /\b(whoever|whomever|nobody|somebody|told)\b/i;

const withoutComments = (text: string): string => text.replace(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

test('a prompt names who is meant', () => {
  const lines = sources
    .filter((file) => WITH_PROMPTS.test(file))
    .flatMap((file) =>
      withoutComments(readFileSync(join(root, file), 'utf8'))
        .split('\n')
        .filter((line) => AVOIDED_IN_PROMPTS.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(lines).toEqual([]);
});

const MAX_REPEATED_NAMES = 15;

test('file names are unique, except those of endpoints and lists', () => {
  const named = sources.filter((file) => !file.startsWith('src/api/') && basename(file) !== 'index.ts');
  const repeated = [...Map.groupBy(named, (file) => basename(file)).values()].filter(
    ({ length }) => length > 1,
  );
  expect(repeated.length, repeated.join('\n')).toBeLessThanOrEqual(MAX_REPEATED_NAMES);
});

test('the source uses the usual terms of the field', () => {
  const text = sources.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  const words = [
    'SSRF',
    'outbox',
    'dead letter',
    'token bucket',
    'backpressure',
    'back-off',
    'compaction',
    'keyset',
    'circuit breaker',
    'upsert',
    'throttle',
    'lease',
    'fan-out',
  ];
  expect(words.filter((word) => !new RegExp(word.replace(/[- ]/, '[- ]?'), 'i').test(text))).toEqual([]);
});
