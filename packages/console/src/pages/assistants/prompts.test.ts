import { expect, test } from 'vitest';
import { promptsFor } from './prompts.ts';

const textOf = (...scopes: Parameters<typeof promptsFor>[0]) =>
  promptsFor(scopes)
    .map(({ text }) => text)
    .join('\n');

test('an assistant is asked first for what its token allows', () => {
  expect(textOf('read', 'comment', 'review')).toMatch(/write in the thread[\s\S]*Review http/);
  expect(textOf('read')).toContain('tell me what you have changed');
  expect(textOf('read')).not.toMatch(/thread|Review http/);
  expect(promptsFor(['comment'])).toEqual([]);
});
