import { expect, test } from 'vitest';
import { createPageParser } from './page-parser.ts';
import { parsePage, unpackPage } from './parse-page.ts';

const taskOf = (links: number) => ({
  url: 'http://s.example/a/',
  body: Buffer.from(
    `<title>Ü</title><meta charset="iso-8859-1">${Array.from({ length: links }, (_, n) => `<p><a href="${n}?q=\xfc">Link ${n}</a></p>`).join('')}`,
    'latin1',
  ),
  contentType: 'text/html',
  pack: false,
});

test('a thread reads a page as the main thread does', async () => {
  const parse = createPageParser();
  for (const links of [3, 3_000]) {
    const task = taskOf(links);
    const parsed = await parse(task);
    expect(parsed?.page).toEqual(parsePage(task));
    expect(parsed?.page.links).toHaveLength(links);
    expect(parsed?.packed).toBeUndefined();
    // The body still belongs to the caller.
    expect(task.body.length).toBeGreaterThan(0);
  }
});

test('a thread packs a page where that is asked for', async () => {
  const { page, packed } = (await createPageParser()({ ...taskOf(3_000), pack: true }))!;
  expect(unpackPage(packed!)).toEqual(page);
});
