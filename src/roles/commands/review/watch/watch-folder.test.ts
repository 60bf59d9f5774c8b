import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ChangeSource } from './change.ts';
import { watchFolder } from './watch-folder.ts';

const ORIGIN = 'http://127.0.0.1:4000/';
let folder: string;
let source: ChangeSource;
let stop: AbortController;
const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const next = () => source.next([ORIGIN], stop.signal);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'redpen-watched-'));
  stop = new AbortController();
  for (const name of ['docs', '.git', 'out']) mkdirSync(join(folder, name));
  write('index.html', 'start');
  source = await watchFolder(folder, { origin: ORIGIN, except: join(folder, 'out') });
});
afterEach(() => {
  source.close();
  rmSync(folder, { recursive: true });
});

test('changes are collected while no one waits, and come once', async () => {
  write('index.html', 'edited');
  write('docs/a.html', 'new');
  expect(await next()).toEqual({
    pages: [ORIGIN, `${ORIGIN}docs/a.html`],
    isWhole: true,
    gone: [],
    what: 'changed: index.html; added: docs/a.html',
  });
  const waiting = next();
  // Editors write another file, and then give it the name.
  write('docs/a.html~', 'edited');
  renameSync(join(folder, 'docs/a.html~'), join(folder, 'docs/a.html'));
  expect(await waiting).toMatchObject({ pages: [`${ORIGIN}docs/a.html`], isWhole: false });
  rmSync(join(folder, 'index.html'));
  expect(await next()).toMatchObject({ gone: [ORIGIN], what: 'removed: index.html' });
});

test('reports, dotfiles and backups are no changes', async () => {
  for (const name of ['out/report.html', '.git/HEAD', 'index.html~', 'index.html.tmp']) write(name, 'text');
  const waiting = next();
  write('style.css', 'p {}');
  expect((await waiting).what).toBe('added: style.css');
});

test('the end of the watch ends the waiting', async () => {
  const waiting = next();
  stop.abort(new Error('The end.'));
  await expect(waiting).rejects.toThrow('The end.');
});
