import { expect, test } from 'vitest';
import { fillHeadline } from './headline.ts';

test.each<[string, Record<string, unknown>, string]>([
  ['{actionUser} replied', { actionUser: { userId: 'u1', name: 'Jane' } }, 'Jane replied'],
  ['{actionUser} replied', { actionUser: { userId: 'u1', name: '', email: 'j@x.org' } }, 'j@x.org replied'],
  ['{actionUser} replied', { actionUser: { userId: 'u1' } }, 'u1 replied'],
  ['{actionUser.email}', { actionUser: { email: 'j@x.org' } }, 'j@x.org'],
  ['{ project }: {count} of {all}', { project: 'Site', count: 0, all: true }, 'Site: 0 of true'],
  ['{a}', { a: '{b}', b: 'no' }, '{b}'],
])('%s is filled', (template, values, text) => {
  expect(fillHeadline(template, values)).toBe(text);
});

test.each(['{unknown}', '{}', '{constructor}', '{toString.name}', '{__proto__}', '{list}', '{', '{{'])(
  '%s has no value and is left as it is',
  (template) => {
    expect(fillHeadline(template, { list: [1] })).toBe(template);
  },
);

test('a text full of braces is filled without hanging', () => {
  expect(fillHeadline('{'.repeat(100_000), {})).toHaveLength(100_000);
});
