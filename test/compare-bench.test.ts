import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { judge, type PlantedSite } from '../bench/compare/judge.ts';
import { KINDS } from '../bench/compare/trades.ts';

const folder = join(import.meta.dirname, '../bench/compare');
const planted = JSON.parse(readFileSync(join(folder, 'planted.json'), 'utf8')) as PlantedSite;
const sample = JSON.parse(readFileSync(join(folder, 'planted-sample.json'), 'utf8')) as PlantedSite;

const sourceOf = (root: string, page: string) =>
  readFileSync(join(root, page.endsWith('/') ? `${page}index.html` : page), 'utf8');

test('what is planted is on its pages', () => {
  const lacking = [
    { site: planted, root: join(folder, 'site') },
    { site: sample, root: join(import.meta.dirname, '../examples/site') },
  ].flatMap(({ site, root }) =>
    [...site.faults, ...site.decoys].filter(({ kind, pages, marks }) => {
      expect(KINDS).toHaveProperty(kind);
      const texts = (pages === 'all' ? site.pages : pages).map((page) => sourceOf(root, page)).join('\n');
      // Some names of places are those that tools give them; the sources have other ones.
      return marks.length > 0 && !marks.some((mark) => texts.includes(mark));
    }),
  );
  // A script inserts one, and the server inserts the other.
  expect(lacking.map(({ kind }) => kind)).toEqual(['scripted-broken-link']);
});

test('a report is of a fault if it is on its page, of its kind and about its place', () => {
  const report = {
    page: '/',
    rule: 'image-alt Images must have a text',
    text: '<img src="/images/oven.svg">',
  };
  const found = (...reports: (typeof report)[]) =>
    judge('axe-cli', planted, reports).found.map(({ kind }) => kind);
  expect(found(report)).toEqual(['missing-alt']);
  expect(found({ ...report, page: '/team.html' })).toEqual([]);
  expect(found({ ...report, rule: 'color-contrast' })).toEqual([]);
  expect(found({ ...report, text: '<img src="/images/other.svg">' })).toEqual([]);
});

test('what a tool does not look for is not missed, and decoys are false reports', () => {
  const { missed, notLookedFor, wrong, others } = judge('linkinator', planted, [
    { page: '/contact.html', rule: 'broken status 405', text: '/enquiries' },
    { page: '/contact.html', rule: 'broken status 404', text: '/unplanned' },
  ]);
  expect(missed.map(({ kind }) => kind)).toContain('broken-link');
  expect(missed.map(({ kind }) => kind)).not.toContain('contrast');
  expect(notLookedFor.map(({ kind }) => kind)).toContain('contrast');
  expect(wrong).toHaveLength(1);
  expect(others.map(({ text }) => text)).toEqual(['/unplanned']);
});
