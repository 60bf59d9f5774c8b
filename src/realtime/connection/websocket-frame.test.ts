import { PassThrough, type Writable } from 'node:stream';
import { expect, test } from 'vitest';
import * as ws from 'ws';
import { websocketFrame } from './websocket-frame.ts';

/** The frame reader of `ws`, which its types omit. */
const { Receiver } = ws as unknown as { Receiver: new (options: { isServer: boolean }) => Writable };

test.each([0, 1, 125, 126, 127, 65_535, 65_536, 300_000])(
  'a message of %i bytes arrives unchanged',
  async (length) => {
    const message = Uint8Array.from({ length }, (_, index) => index % 251);
    const receiver = new Receiver({ isServer: false });
    const arrived = new Promise<[Buffer, boolean]>((done) => {
      receiver.on('message', (data: Buffer, isBinary: boolean) => done([data, isBinary]));
    });
    const wire = new PassThrough();
    wire.pipe(receiver);
    wire.write(websocketFrame(message));
    const [data, isBinary] = await arrived;
    expect([Buffer.compare(data, message), isBinary]).toEqual([0, true]);
  },
);

test('a broadcast message is framed once, and an equal copy anew', () => {
  const message = new Uint8Array([1, 2, 3]);
  expect(websocketFrame(message)).toBe(websocketFrame(message));
  expect(websocketFrame(new Uint8Array([1, 2, 3]))).not.toBe(websocketFrame(message));
});
