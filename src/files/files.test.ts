import { expect, test } from 'vitest';
import { png } from '../../test/documents/attachments.ts';
import { sentType, typeMismatch } from './file-formats.ts';
import { isShownPicture, pictureSize } from './picture-size.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
const be = (value: number, bytes: number) => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};
const le = (value: number, bytes: number) => Buffer.from(be(value, bytes)).reverse();

const frame = (width: number, height: number) =>
  Buffer.concat([latin('\xff\xc2\0\x11\x08'), be(height, 2), be(width, 2), Buffer.alloc(10)]);
const exif = (orientation: number, isLittle: boolean) => {
  const number = isLittle ? le : be;
  const body = Buffer.concat([
    latin('Exif\0\0'),
    latin(isLittle ? 'II' : 'MM'),
    number(42, 2),
    number(8, 4),
    number(1, 2),
    number(0x0112, 2),
    number(3, 2),
    number(1, 4),
    number(orientation, 2),
    Buffer.alloc(6),
  ]);
  return Buffer.concat([latin('\xff\xe1'), be(body.length + 2, 2), body]);
};
const webp = (kind: string, rest: Buffer) =>
  Buffer.concat([latin('RIFF\0\0\0\0WEBP'), latin(kind), Buffer.alloc(4), rest, Buffer.alloc(20)]);
const box = (width: number, height: number) =>
  Buffer.concat([be(20, 4), latin('ispe'), Buffer.alloc(4), be(width, 4), be(height, 4)]);

const pictures: [string, string, Buffer, object | undefined][] = [
  ['PNG', 'image/png', png(70_000, 2), { width: 70_000, height: 2 }],
  ['GIF', 'image/gif', Buffer.concat([latin('GIF89a'), le(640, 2), le(480, 2)]), { width: 640, height: 480 }],
  [
    'JPEG',
    'image/jpeg',
    Buffer.concat([latin('\xff\xd8\xff\xfe\0\x04hi\xff'), frame(9, 7)]),
    { width: 9, height: 7 },
  ],
  [
    'JPEG that a camera turned',
    'image/jpeg',
    Buffer.concat([latin('\xff\xd8'), exif(6, true), frame(9, 7)]),
    { width: 7, height: 9 },
  ],
  [
    'JPEG upside down',
    'image/jpeg',
    Buffer.concat([latin('\xff\xd8'), exif(3, false), frame(9, 7)]),
    { width: 9, height: 7 },
  ],
  ['JPEG without a frame', 'image/jpeg', latin('\xff\xd8\xff\xe0\0\x04hi\xff\xd9'), undefined],
  [
    'JPEG with an empty segment',
    'image/jpeg',
    latin('\xff\xd8\xff\xe0\0\0\xff\xe0\0\0\xff\xe0\0\0'),
    undefined,
  ],
  [
    'lossy WebP',
    'image/webp',
    webp('VP8 ', Buffer.concat([Buffer.alloc(3), be(0x9d012a, 3), le(300, 2), le(200, 2)])),
    { width: 300, height: 200 },
  ],
  [
    'lossless WebP',
    'image/webp',
    webp('VP8L', Buffer.concat([Buffer.of(0x2f), le((199 << 14) | 299, 4)])),
    { width: 300, height: 200 },
  ],
  [
    'extended WebP',
    'image/webp',
    webp('VP8X', Buffer.concat([Buffer.alloc(4), le(299, 3), le(199, 3)])),
    { width: 300, height: 200 },
  ],
  [
    'AVIF, by its largest part',
    'image/avif',
    Buffer.concat([latin('\0\0\0\x20ftypavif'), box(10, 10), box(300, 200), box(20, 20)]),
    { width: 300, height: 200 },
  ],
  [
    'AVIF that ends early',
    'image/avif',
    Buffer.concat([latin('\0\0\0\x20ftypavif'), box(10, 10).subarray(0, 12)]),
    undefined,
  ],
];

test.for(pictures)('the size of a picture is read from its header: %s', ([, mimeType, bytes, size]) => {
  expect(pictureSize(mimeType, bytes)).toEqual(size);
});

test('no beginning of a picture and no changed byte makes reading its size fail', () => {
  for (const [, mimeType, bytes] of pictures) {
    for (let length = 0; length <= bytes.length; length++) {
      expect(() => pictureSize(mimeType, bytes.subarray(0, length))).not.toThrow();
    }
    for (let at = 0; at < bytes.length; at++) {
      for (const value of [0, 1, 0x7f, 0xff]) {
        const changed = Buffer.from(bytes);
        changed[at] = value;
        expect(() => pictureSize(mimeType, changed)).not.toThrow();
      }
    }
  }
});

test('types are judged by the first bytes', () => {
  const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  for (const [mimeType, start] of [
    ['image/heic', '\0\0\0\x18ftypheic'],
    ['video/mp4', '\0\0\0\x18ftypisom'],
    ['audio/mp4', '\0\0\0\x18ftypM4A '],
    ['video/quicktime', '\0\0\0\x14ftypqt  '],
    ['video/webm', '\x1aE\xdf\xa3'],
    ['audio/mpeg', 'ID3\x04'],
    ['audio/mpeg', '\xff\xfb\x90'],
    ['audio/wav', 'RIFF\0\0\0\0WAVEfmt '],
    [word, 'PK\x03\x04'],
    [word, '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
    ['application/zip', 'PK\x05\x06'],
    ['application/vnd.sketch', 'PK\x03\x04'],
    ['application/octet-stream', 'MZ'],
    ['text/plain', 'words'],
    ['text/plain', '\xff\xfea\0b\0'],
    ['application/json', '{}'],
    ['image/svg+xml', '<svg/>'],
  ] as const) {
    expect([mimeType, typeMismatch(mimeType, latin(start))]).toEqual([mimeType, undefined]);
  }
  expect(typeMismatch('image/png', latin('GIF89a'))).toBe(
    'The file was announced as image/png, but it is a GIF picture.',
  );
  expect(typeMismatch('video/mp4', latin('words'))).toBe(
    'The file was announced as video/mp4, but its content is something else.',
  );
  expect(typeMismatch('application/json', latin('a\0'))).toBe(
    'The file was announced as application/json, but it is not text.',
  );
});

test('only pictures without scripts are shown, and unknown types are sent as bytes', () => {
  expect(['image/png', 'image/svg+xml', 'text/html', 'constructor'].map(isShownPicture)).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(['image/png', 'image/svg+xml', 'text/plain', 'text/html'].map(sentType)).toEqual([
    'image/png',
    'application/octet-stream',
    'text/plain',
    'application/octet-stream',
  ]);
});
