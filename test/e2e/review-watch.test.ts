import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import { newPlace, type Place, startRedpen } from './redpen-command.ts';

let place: Place;
beforeAll(() => {
  place = newPlace();
  mkdirSync(join(place.folder, 'site'));
});
afterAll(() => place.remove());

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`;
const write = (name: string, html: string) => writeFileSync(join(place.folder, 'site', name), html);

test('a watched folder is reviewed again, with what is new and what is fixed', async () => {
  write(
    'index.html',
    page('Saltmarsh Kayaks', '<p><a href="boats.html">Our boats</a></p><img src="data:,a">'),
  );
  write('boats.html', page('Boats', '<p>Wooden boats for calm water.</p>'));
  const words = ['--agents', 'accessibility-checker,spell-check', '--output', 'out', '--format', 'json'];
  const running = startRedpen(place, ['review', '--watch', 'site', ...words]);
  await running.says('Ctrl-C ends.');
  expect(await running.prints('Images must have alternative text')).toContain('2 pages');

  write('index.html', page('Saltmarsh Kayaks', '<p><a href="boats.html">Our boats</a></p>'));
  const mended = await running.prints('0 new, 1 fixed; 0 findings on 2 pages. Passes.');
  expect(mended).toMatch(/✔ fixed {2}\w+ +Images must have alternative text {2}\/ {2}\S+\n/);

  write('boats.html', page('Boats', '<p>Wooden boats that recieve you.</p><img src="data:,b">'));
  const broken = await running.prints('2 new, 0 fixed; 2 findings on 2 pages. Fails: ');
  expect(broken).toMatch(/✖ new {4}\w+ +Images must have alternative text {2}\/boats\.html {2}\S+\n/);
  expect(broken).toMatch(/● new {4}\w+ +.*recieve.* {2}\/boats\.html {2}spelling\n/);
  expect(broken).not.toContain('\x1b');
  const report = JSON.parse(readFileSync(join(place.folder, 'out', 'report.json'), 'utf8')) as Report;
  expect(report.pages.map(({ url }) => new URL(url).pathname)).toEqual(['/', '/boats.html']);
  expect(report.gate?.passed).toBe(false);

  rmSync(join(place.folder, 'site', 'boats.html'));
  await running.says('/boats.html is gone.');
  await running.prints('0 findings on 1 page');
  running.child.kill('SIGINT');
  const { code, stderr } = await running.ended;
  expect(code, stderr).toBe(0);
  expect(place.leftovers()).toEqual({ files: [], processes: [] });
});
