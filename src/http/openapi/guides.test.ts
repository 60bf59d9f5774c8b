import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findGuides, renderGuide } from './guides.ts';

test('every link of every guide has a target', async () => {
  const guides = findGuides();
  expect(guides.map(({ name }) => name)).toContain('review-agents');
  const pages = new Map<string, string>();
  for (const guide of guides) {
    pages.set(guide.name, await renderGuide(guide, await readFile(guide.file, 'utf8'), guides));
  }
  const broken = [...pages].flatMap(([name, html]) =>
    [...html.matchAll(/<a href="([^"]*)"/g)].flatMap(([, href = '']) => {
      if (/^(https:|\.\.\/\.\.\/docs$)/.test(href)) return [];
      const [path, fragment] = href.split('#') as [string, string | undefined];
      const target = pages.get(path === '' ? name : path);
      const isFound = target && (fragment === undefined || target.includes(` id="${fragment}"`));
      return isFound ? [] : [`${name}: ${href}`];
    }),
  );
  expect(broken).toEqual([]);
});

test('links to files that are not served become text, and code stays unchanged', async () => {
  const guide = { name: 'memory', title: 'Memory', file: '' };
  const html = await renderGuide(
    guide,
    '# A `b` & c\n\nSee [the sample](../examples/x) and [all](api.md).\n\n```\n<b>\n```\n',
    [guide],
  );
  expect(html).toContain('<h1 id="a-b--c">A <code>b</code> &amp; c</h1>');
  expect(html).toContain('See the sample and <a href="../../docs">all</a>.');
  expect(html).toContain('&lt;b&gt;');
});

test('an installation without the docs folder has no guides', () => {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-guides-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(findGuides(folder)).toEqual([]);
  writeFileSync(join(folder, 'memory.md'), '# Memory\n');
  expect(findGuides(folder).map(({ name }) => name)).toEqual(['memory']);
});
