import { expect, test } from 'vitest';
import { lineOf, problemAt, problemsOf, problemsWithout, sentenceAt } from './problems.ts';

const refusal = Object.assign(new Error('Several.'), {
  issues: [
    {
      path: ['execution', 'executionStrategy'],
      code: 'x',
      message: 'execution.executionStrategy must be ai or service.',
    },
    {
      path: ['execution', 'mcpServers', 0, 'url'],
      code: 'x',
      message: 'execution.mcpServers[0].url is required.',
    },
    { path: ['scope', 'pageScope', 1], code: 'x', message: 'scope.pageScope[1] must not be empty.' },
  ],
});

test('problems are sentences without the name of their field', () => {
  expect(problemsOf(refusal).map(sentenceAt)).toEqual([
    'Must be ai or service.',
    'Is needed.',
    'Must not be empty.',
  ]);
  expect(problemsOf(new Error('Other.'))).toEqual([]);
});

test('a list of words shows the problems of its entries, a group only its own', () => {
  const problems = problemsOf(refusal);
  expect(problemAt(problems, ['scope', 'pageScope'], true)).toBe('Must not be empty.');
  expect(problemAt(problems, ['execution'], false)).toBeUndefined();
  expect(problemAt(problems, ['execution', 'mcpServers', 0, 'url'], true)).toBe('Is needed.');
});

test('a change of a field drops its problems and those within it', () => {
  expect(problemsWithout(problemsOf(refusal), ['execution']).map(({ path }) => path[0])).toEqual(['scope']);
});

test('finds the line of a path in printed JSON', () => {
  const value = {
    name: 'a',
    scope: { pageScope: ['/a', '/b'], name: 'inner' },
    execution: {
      mcpServers: [
        { id: 'one', url: 'x' },
        { id: 'two', url: 'y' },
      ],
    },
  };
  const text = JSON.stringify(value, null, 2);
  const line = (...path: (string | number)[]): string => text.split('\n')[lineOf(text, path) - 1]!.trim();
  expect(line('scope', 'name')).toBe('"name": "inner"');
  expect(line('scope', 'pageScope', 1)).toBe('"/b"');
  expect(line('execution', 'mcpServers', 1, 'url')).toBe('"url": "y"');
  expect(line('execution', 'mcpServers', 1, 'missing')).toBe('{');
  expect(line('missing')).toBe('{');
});
