import { expect, test } from 'vitest';
import { parseFile, parseRules, runParseTask } from './parse-file.ts';

test('a long file is parsed in a thread, with the same result as a short one', async () => {
  const lines = Array.from({ length: 3_000 }, (_, index) => `- Always check number ${index} twice.`);
  const content = { text: lines.join('\n'), notes: ['A picture was left out.'] };
  const digest = await parseFile('key', content);
  expect(digest).toEqual(runParseTask({ name: 'parse', content }));
  expect(digest.rules).toHaveLength(3_000);
  expect(digest.notes).toEqual(content.notes);
  expect(await parseRules('key', content.text)).toEqual(digest.rules);
});
