import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { endpoints } from '../src/api/index.ts';
import { parseData } from '../src/http/request/parse.ts';
import { unknownFieldFinder } from '../src/http/request/unknown-fields.ts';

// test/e2e/pasted-docs.test.ts runs the samples. Operations ignore unknown fields, so only this test finds a misspelled
// one.

const root = join(import.meta.dirname, '..');
const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)];

/** The calls of a page. In their data, a shell variable in a string becomes `x` or an id, and any other is removed. */
function callsOf(page: string): { path: string; data: object }[] {
  const blocks = [...readFileSync(join(root, page), 'utf8').matchAll(/```sh\n(.*?)\n *```/gs)];
  return blocks.flatMap(([, block]) => {
    const hooks = '/v2/workspace/advancedwebhook';
    const code = block!
      .replaceAll('$hooks', hooks)
      .replaceAll("'$attachment'", 'att_1a2B3cD4eF5gH6jK7mN8')
      .replaceAll(/'\$\w+'/g, 'x')
      .replaceAll(/'"\$\w+"'/g, '');
    const calls = code.matchAll(/\bcall(?:_as_user)? (\/v\d\/\S+)(?: '([^']*)')?/g);
    return [...calls].map(([, path, data = '{}']) => ({ path: path!, data: JSON.parse(data) as object }));
  });
}

const calls = pages.flatMap((page) => callsOf(page).map((call) => ({ page, ...call })));

test('the pages have samples', () => {
  expect(calls.length).toBeGreaterThan(80);
});

/** Fields that a page sends to show what happens to unknown ones. */
const UNKNOWN_ON_PURPOSE: Record<string, string[]> = {
  'docs/api-conventions.md /v2/commentannotations/add': ['triggerNotification'],
};

test.each(calls)('$page sends $path only known fields', ({ page, path, data }) => {
  const endpoint = endpoints.find((candidate) => [candidate.path].flat().includes(path));
  expect(endpoint).toBeDefined();
  parseData(endpoint!.data, data);
  const { find, warningsOf } = unknownFieldFinder(endpoint!.data);
  const { warnings } = warningsOf(find({ data, beside: [] }));
  expect(warnings.map((warning) => warning.path.join('.'))).toEqual(
    UNKNOWN_ON_PURPOSE[`${page} ${path}`] ?? [],
  );
});
