import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Report, ReportFinding } from '../../../report/report.ts';
import { mapSources } from './map-sources.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'redpen-map-'));
  mkdirSync(join(folder, 'content', 'docs'), { recursive: true });
  writeFileSync(
    join(folder, 'content', 'docs', 'start.md'),
    '# Start\n\nYou recieve a\nletter. You recieve (two).\n\n[Gone](/gone)\n',
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

const RULES = [
  { url: '^/folder/(.*)$', file: 'content/$1' },
  { url: '^/nowhere/(.*)$', file: 'nowhere/$1.md' },
  { url: '^/(docs/[^/]+)/?$', file: 'content/$1.md' },
];

const sourceOf = (finding: Partial<ReportFinding>) => {
  const page = { pageUrl: 'https://example.com/docs/start/', targetText: '', occurrence: 1, ...finding };
  const report = { findings: [page] } as unknown as Report;
  return mapSources(report, RULES, folder).findings[0]?.source;
};

test.each([
  [{ targetText: 'recieve' }, 3],
  [{ targetText: 'recieve', occurrence: 2 }, 4],
  [{ targetText: 'recieve', occurrence: 9 }, 3],
  [{ targetText: 'recieve a letter' }, 3],
  [{ targetText: 'recieve (two)' }, 4],
  [{ targetText: 'on the page only', url: 'https://example.com/gone' }, 6],
])('the source of %j is on line %i', (finding, line) => {
  expect(sourceOf(finding)).toEqual({ file: 'content/docs/start.md', line });
});

test('a folder is no source, and names are decoded', () => {
  expect(sourceOf({ pageUrl: 'https://example.com/folder/docs' })).toBeUndefined();
  expect(sourceOf({ pageUrl: 'https://example.com/folder/docs/start.md/x' })).toBeUndefined();
  writeFileSync(join(folder, 'content', 'Über uns.md'), 'recieve');
  expect(
    sourceOf({ pageUrl: 'https://example.com/folder/%C3%9Cber%20uns.md', targetText: 'recieve' }),
  ).toEqual({ file: 'content/Über uns.md', line: 1 });
  expect(sourceOf({ pageUrl: 'https://example.com/folder/%FF%00' })).toBeUndefined();
});

test('a file without the words is named alone, and a page without a file has no source', () => {
  expect(sourceOf({ targetText: 'not there' })).toEqual({ file: 'content/docs/start.md' });
  expect(sourceOf({ pageUrl: 'https://example.com/docs/other' })).toBeUndefined();
  expect(sourceOf({ pageUrl: 'https://example.com/nowhere/x' })).toBeUndefined();
});
