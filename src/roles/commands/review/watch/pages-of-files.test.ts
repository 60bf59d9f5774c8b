import { expect, test } from 'vitest';
import { compareSnapshots, pagesOfFiles } from './pages-of-files.ts';

const ORIGIN = 'http://127.0.0.1:4000/';
const KNOWN = ['', 'about.html', 'docs/', 'docs/?page=2'].map((path) => ORIGIN + path);
const pagesOf = (files: { edited?: string[]; added?: string[]; removed?: string[] }) =>
  pagesOfFiles({ edited: [], added: [], removed: [], ...files }, KNOWN, ORIGIN);

test('files that are edited, added and removed are told apart', () => {
  const before = new Map([
    ['a.html', '1'],
    ['b.html', '1'],
    ['c.html', '1'],
  ]);
  const after = new Map([
    ['d.html', '1'],
    ['c.html', '2'],
    ['a.html', '1'],
  ]);
  expect(compareSnapshots(before, after)).toEqual({
    edited: ['c.html'],
    added: ['d.html'],
    removed: ['b.html'],
  });
});

test('an HTML file concerns its pages, under each address that is known', () => {
  expect(pagesOf({ edited: ['about.html'] })).toEqual({
    pages: [`${ORIGIN}about.html`],
    isWhole: false,
    gone: [],
    what: 'changed: about.html',
  });
  expect(pagesOf({ edited: ['index.html'] }).pages).toEqual([ORIGIN]);
  expect(pagesOf({ edited: ['docs/index.html'] }).pages).toEqual([`${ORIGIN}docs/`, `${ORIGIN}docs/?page=2`]);
});

test('a page that was not known gets its address', () => {
  expect(pagesOf({ edited: ['a b/c#.html'] }).pages).toEqual([`${ORIGIN}a%20b/c%23.html`]);
  expect(pagesOf({ edited: ['new/index.html'] }).pages).toEqual([`${ORIGIN}new/`]);
});

test.each(['style.css', 'app.js', 'logo.svg'])('%s concerns all pages', (file) => {
  expect(pagesOf({ edited: [file] })).toMatchObject({ pages: [], isWhole: true });
});

test('a file that disappears or appears concerns all pages, which may link to it', () => {
  expect(pagesOf({ removed: ['about.html', 'unknown.html'] })).toEqual({
    pages: [],
    isWhole: true,
    gone: [`${ORIGIN}about.html`],
    what: 'removed: about.html, unknown.html',
  });
  expect(pagesOf({ added: ['1.html', '2.html', '3.html', '4.html'] })).toMatchObject({
    isWhole: true,
    what: 'added: 1.html, 2.html, 3.html and 1 more',
  });
});
