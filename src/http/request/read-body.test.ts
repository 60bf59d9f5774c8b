import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { readBody } from './read-body.ts';

const streamOf = () => {
  const stream = new PassThrough();
  return { stream, asRequest: stream as unknown as IncomingMessage };
};

test('a body is read whole, in whatever pieces it arrives', async () => {
  const { stream, asRequest } = streamOf();
  const body = readBody(asRequest, '6', 6);
  stream.write('abc');
  stream.end('def');
  expect((await body).toString()).toBe('abcdef');
});

test('a body in one piece is not copied', async () => {
  const { stream, asRequest } = streamOf();
  const body = readBody(asRequest, '3', 10);
  const piece = Buffer.from('abc');
  stream.end(piece);
  expect(await body).toBe(piece);
});

test.each([['200000'], [undefined]])(
  'tiny pieces are copied and not retained, with content-length %s',
  async (length) => {
    const { stream, asRequest } = streamOf();
    const body = readBody(asRequest, length, 200_000);
    const first = Buffer.from([0]);
    stream.emit('data', first);
    const piece = Buffer.alloc(1);
    for (let index = 1; index < 200_000; index++) {
      piece[0] = index % 251;
      stream.emit('data', piece);
    }
    stream.emit('end');
    expect((await body).equals(Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251)))).toBe(
      true,
    );
    expect(first).toEqual(Buffer.from([0]));
  },
);

test.each([
  ['11', ''],
  [undefined, 'x'.repeat(11)],
])('a body over the limit is refused, with content-length %s', async (length, sent) => {
  const { stream, asRequest } = streamOf();
  const body = readBody(asRequest, length, 10);
  stream.end(sent);
  await expect(body).rejects.toMatchObject({ statusCode: 413, message: 'The request body is too large.' });
});

test('a slow body, even one that arrives a byte at a time, times out', async () => {
  const { stream, asRequest } = streamOf();
  const dripping = setInterval(() => stream.write('x'), 10);
  try {
    await expect(readBody(asRequest, '1000000', 1_000_000, 50)).rejects.toMatchObject({ statusCode: 408 });
  } finally {
    clearInterval(dripping);
  }
});

test('a body that ends early is refused', async () => {
  const { stream, asRequest } = streamOf();
  const body = readBody(asRequest, '10', 10);
  stream.write('abc');
  stream.destroy();
  await expect(body).rejects.toMatchObject({ statusCode: 400 });
  const short = streamOf();
  const cut = readBody(short.asRequest, '10', 10);
  short.stream.end('abc');
  await expect(cut).rejects.toMatchObject({ statusCode: 400 });
});
