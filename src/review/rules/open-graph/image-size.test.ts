import { expect, test } from 'vitest';
import { png } from '../../../../test/fakes/planted-site.ts';
import { imageSizeOf } from './image-size.ts';

const bytes = (hex: string) => Buffer.from(hex.replace(/\s/g, ''), 'hex');

test.each([
  ['a PNG', png(1200, 630), { type: 'png', width: 1200, height: 630 }],
  ['a GIF', bytes('474946383961 b004 7602 00'), { type: 'gif', width: 1200, height: 630 }],
  [
    'a JPEG with other segments before its size',
    bytes('ffd8 ffe0 0004 0000 ffe1 0006 00000000 ffc2 0011 08 0276 04b0 03 000000'),
    { type: 'jpeg', width: 1200, height: 630 },
  ],
  ['a JPEG whose beginning does not reach that far', bytes('ffd8 ffe0 4000 0000'), { type: 'jpeg' }],
  [
    'an extended WebP',
    bytes('52494646 00000000 57454250 56503858 0a000000 00000000 af0400 750200'),
    { type: 'webp', width: 1200, height: 630 },
  ],
  ['an SVG', Buffer.from('<?xml version="1.0"?><svg xmlns="x"></svg>'), { type: 'svg' }],
  ['an HTML page', Buffer.from('<!doctype html><svg></svg>'), undefined],
  ['an empty file', Buffer.alloc(0), undefined],
])('the header of %s is read', (_name, file, expected) => {
  expect(imageSizeOf(file)).toEqual(expected);
});
