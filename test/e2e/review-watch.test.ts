import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Report } from '../../src/report/report.ts';
import { ownTenant } from '../service/own-tenant.ts';
import { newPlace, type Place, startRedpen } from '../service/redpen-command.ts';
import { sharedService } from '../service/worker-service.ts';

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
  const words = ['--agents', 'accessibility-checker,lorem-ipsum', '--output', 'out', '--format', 'json'];
  const running = startRedpen(place, ['review', '--watch', 'site', ...words]);
  await running.says('Ctrl-C ends.');
  expect(await running.prints('Images must have alternative text')).toContain('2 pages');

  write('index.html', page('Saltmarsh Kayaks', '<p><a href="boats.html">Our boats</a></p>'));
  const mended = await running.prints('0 new, 1 fixed; 0 findings on 2 pages. Passes.');
  expect(mended).toMatch(/✔ fixed {2}\w+ +Images must have alternative text {2}\/ {2}\S+\n/);

  write('boats.html', page('Boats', '<p>Lorem ipsum dolor sit amet.</p><img src="data:,b">'));
  const broken = await running.prints('2 new, 0 fixed; 2 findings on 2 pages. Fails: ');
  expect(broken).toMatch(/✖ new {4}\w+ +Images must have alternative text {2}\/boats\.html {2}\S+\n/);
  expect(broken).toMatch(/ new {4}\w+ +.*Lorem ipsum.* {2}\/boats\.html {2}lorem-ipsum\n/);
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

test('a watch that cannot begin ends', async () => {
  const running = startRedpen(place, ['review', '--watch', 'site'], { TMPDIR: '/nowhere' });
  expect(await running.ended).toMatchObject({ code: 3, stderr: expect.stringContaining('/nowhere') });
});

/** A server with one page, as one that is being developed. */
async function serve(html: () => string, port = 0) {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', connection: 'close' });
    response.end(html());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

test('a server that is restarted is watched on, and an end during a review leaves nothing', async () => {
  let body = '<p>Wooden boats.</p>';
  let answers = (): string => page('Boats', body);
  const first = await serve(() => answers());
  const address = `http://127.0.0.1:${first.port}/`;
  const service = await sharedService();
  const { variables } = await ownTenant(() => service);
  const running = startRedpen(
    place,
    ['review', '--watch', address, '--agents', 'lorem-ipsum', '--server', service.url],
    variables,
  );
  await running.says('Ctrl-C ends.');
  await first.close();
  await running.says('does not answer: waiting for it.');
  body = '<p>Lorem ipsum dolor sit amet.</p>';
  const second = await serve(() => answers(), first.port);
  try {
    await running.says('answers again.');
    await running.prints('1 new, 0 fixed; 1 finding on 1 page. ');
    answers = () => page('Boats', '<p>Lorem ipsum dolor sit amet, consectetur.</p>');
    // The line of the first change, and that of the second.
    await running.says(/Reviewing \/\n[\s\S]*Reviewing \/\n/);
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    // The review may have ended before the signal arrives.
    expect([0, 130], stderr).toContain(code);
    expect(place.leftovers()).toEqual({ files: [], processes: [] });
  } finally {
    await second.close();
  }
});
