import { expect, test } from 'vitest';
import { causeOfAddress } from '../../causes/cause-of.ts';
import { readHtml } from '../html-page.ts';
import { checkPictures } from './picture-faults.ts';
import { createPreview, type FetchedImage } from './preview.ts';
import { checkRequiredTags, checkUrl, checkValues } from './tag-faults.ts';

function check(head: string, images: Record<string, FetchedImage> = {}) {
  const html = readHtml(`<!doctype html><head>${head}</head>`);
  const preview = createPreview(html, 'https://site.example/', new Map(Object.entries(images)));
  for (const one of [checkPictures, checkRequiredTags, checkUrl, checkValues]) one(preview);
  return preview.findings;
}

test('a page without any tag has one finding, with the cause of a missing picture', () => {
  const all = check('<meta name="twitter:card" content="summary">');
  expect(all.map(({ issueType }) => issueType)).toEqual(['og-tags-missing']);
  expect(all[0]!.suggestion).toContain('<meta property="og:image" content="…">');
  const one = check('<meta property="og:title" content="Tides">');
  expect(one.find(({ issueType }) => issueType === 'og-image-missing')!.cause).toBe(all[0]!.cause);
});

test('a picture that cannot be reached has the cause of its address', () => {
  const found = check('<meta property="og:image" content="/tide.png">', {
    'https://site.example/tide.png': { problem: 'connection refused' },
  });
  expect(found.find(({ issueType }) => issueType === 'og-image-unreachable')!.cause).toBe(
    causeOfAddress('https://site.example/tide.png'),
  );
});
