import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ASSISTANTS, waysOf } from '../packages/console/src/pages/assistants/setups.ts';
import { listPrompts } from '../src/mcp/protocol/prompts.ts';
import { resourceTemplates } from '../src/mcp/protocol/resources.ts';
import { tools } from '../src/mcp/tools/all-tools.ts';

const docs = readFileSync(join(import.meta.dirname, '../docs/assistants.md'), 'utf8');

test('the page has the configuration of each assistant that the console shows', () => {
  const connection = { origin: 'http://127.0.0.1:8080', token: 'rp_your_token', isReadOnly: false };
  const shown = ASSISTANTS.flatMap(({ id }) => waysOf(id, connection).flatMap(({ steps }) => steps));
  // Such as the same file with the name of a variable, which is described in words.
  const inWords = (code: string) => /^(export |rp_)|env:/.test(code);
  const missing = shown.filter(({ code }) => !inWords(code) && !docs.includes(code));
  expect(missing.map(({ code }) => code)).toEqual([]);
});

test('the page names every tool, resource and prompt', () => {
  const names = [
    ...tools.map(({ name }) => name),
    ...resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    ...listPrompts().map(({ name }) => name),
  ];
  expect(names.filter((name) => !docs.includes(`\`${name}\``))).toEqual([]);
});
