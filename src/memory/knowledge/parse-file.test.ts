import { expect, test } from 'vitest';
import { parseFile, parseRules, runParseTask } from './parse-file.ts';

test('a long file is taken apart in a thread, as a short one is here', async () => {
  const lines = Array.from({ length: 3_000 }, (_, index) => `- Always check number ${index} twice.`);
  const content = { text: lines.join('\n'), notes: ['A picture was left out.'] };
  const digest = await parseFile('key', content);
  expect(digest).toEqual(runParseTask({ name: 'digest', content }));
  expect(digest.rules).toHaveLength(3_000);
  expect(digest.notes).toEqual(content.notes);
  expect(await parseRules('key', content.text)).toEqual(digest.rules);
});
