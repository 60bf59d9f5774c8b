import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
    pages.set(guide.name, (await renderGuide(await readFile(guide.file, 'utf8'))).html);
  }
  const broken = [...pages].flatMap(([name, html]) =>
    [...html.matchAll(/<a (?:class="anchor" )?href="([^"]*)"/g)].flatMap(([, href = '']) => {
      if (/^(https?:|\.\.\/\.\.\/docs$)/.test(href)) return [];
      const [path, fragment] = href.split('#') as [string, string | undefined];
      const target = pages.get(path === '' ? name : path);
      const isFound = target && (fragment === undefined || target.includes(` id="${fragment}"`));
      return isFound ? [] : [`${name}: ${href}`];
    }),
  );
  expect(broken).toEqual([]);
});

test('links to files that are not served become text, and code stays unchanged', async () => {
  const { html } = await renderGuide(
    '# A `b` & c\n\n<!-- not run -->\nSee [the sample](../examples/x) and [all](api.md).\n\n```\n<b>\n```\n',
  );
  expect(html).toContain('<h1 id="a-b--c">A <code>b</code> &amp; c <a');
  const client = await renderGuide('[a](../packages/client/README.md#b) [c](../../docs/live-events.md)');
  expect(client.html).toContain('<a href="client#b">a</a> <a href="live-events">c</a>');
  expect(html).toContain('See the sample and <a href="../../docs">all</a>.');
  expect(html).toContain('&lt;b&gt;');
  expect(html).not.toContain('not run');
});

test('a guide has one section for each heading, as plain text', async () => {
  const { sections } = await renderGuide(
    'Before.\n\n## One `a`\n\nText with **[a link](memory.md)**.\n\n### Two\n\n| A | B |\n|---|---|\n| `c` | d |\n',
  );
  expect(sections).toEqual([
    { id: '', depth: 1, heading: '', text: expect.stringMatching(/^Before\./) },
    { id: 'one-a', depth: 2, heading: 'One a', text: expect.stringContaining('Text with a link') },
    { id: 'two', depth: 3, heading: 'Two', text: expect.stringMatching(/A B c d/) },
  ]);
});

test('an installation without the Markdown files has no guides', () => {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-guides-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  expect(findGuides(folder)).toEqual([]);
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'docs/memory.md'), '# Memory\n');
  expect(findGuides(folder).map(({ name }) => name)).toEqual(['memory']);
});
