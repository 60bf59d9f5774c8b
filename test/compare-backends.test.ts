import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const page = readFileSync(join(import.meta.dirname, '../docs/compare-backends.md'), 'utf8');
const rows = page
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.slice(2, -2).split(' | '));
const features = rows.filter(([name]) => name !== 'Feature');

test('docs/compare-backends.md compares 38 features, each once, of Redpen and five others', () => {
  const names = features.map(([name]) => name!.replace(/ \(\d+\)$/, ''));
  expect(new Set(names).size).toBe(38);
  expect(names).toHaveLength(38);
  expect(rows.filter((row) => row.length !== 7)).toEqual([]);
});

test('each mark of another product is a link to its source, or says that nothing was found', () => {
  const wrong = features.flatMap(([name, , ...others]) =>
    others
      .filter((cell) => !/^(not found|\[(yes|partly|paid|no)\]\(https:\/\/[^\s)]+\))$/.test(cell))
      .map((cell) => `${name}: ${cell}`),
  );
  expect(wrong).toEqual([]);
});

test('each mark of Redpen is a link into its own documentation, or a plain no', () => {
  const wrong = features.filter(
    ([, redpen]) => !/^(no|\[(yes|partly)\]\((?!https?:)[^\s)]+\))$/.test(redpen!),
  );
  expect(wrong).toEqual([]);
});

test('each number behind a feature has a note, and each note a feature', () => {
  const referred = features.flatMap(([name]) => /\((\d+)\)$/.exec(name!)?.[1] ?? []);
  const notes = [...page.matchAll(/^(\d+)\. /gm)].map(([, number]) => number);
  expect(referred).toEqual(notes);
  expect(notes).toEqual(notes.map((_, index) => String(index + 1)));
});
