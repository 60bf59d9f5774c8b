import { PassThrough, type Writable } from 'node:stream';
import { expect, test } from 'vitest';
import * as ws from 'ws';
import { frameOf } from './wire.ts';

/** What reads frames in ws; its types leave it out. */
const { Receiver } = ws as unknown as { Receiver: new (options: { isServer: boolean }) => Writable };

test.each([0, 1, 125, 126, 127, 65_535, 65_536, 300_000])(
  'a message of %i bytes arrives as it was',
  async (length) => {
    const message = Uint8Array.from({ length }, (_, index) => index % 251);
    const receiver = new Receiver({ isServer: false });
    const arrived = new Promise<[Buffer, boolean]>((done) => {
      receiver.on('message', (data: Buffer, isBinary: boolean) => done([data, isBinary]));
    });
    const wire = new PassThrough();
    wire.pipe(receiver);
    wire.write(frameOf(message));
    const [data, isBinary] = await arrived;
    expect([Buffer.compare(data, message), isBinary]).toEqual([0, true]);
  },
);

test('what is sent to many is framed once, and what is the same only in content anew', () => {
  const message = new Uint8Array([1, 2, 3]);
  expect(frameOf(message)).toBe(frameOf(message));
  expect(frameOf(new Uint8Array([1, 2, 3]))).not.toBe(frameOf(message));
});
