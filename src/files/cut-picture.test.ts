import sharp from 'sharp';
import { expect, test } from 'vitest';
import { cutPicture } from './cut-picture.ts';

const white = await sharp({ create: { width: 64, height: 32, channels: 3, background: '#fff' } })
  .webp()
  .toBuffer();
const whole = { x: 0, y: 0, width: 1, height: 1 };
const layouts = [{ width: 64, height: 32, box: { x: 20, y: 10, width: 8, height: 8 } }];
const options = { owner: 'key', outline: true, maxBytes: 10_000 };

test('a picture that waits too long for its turn is refused, and the next one gets the turn', async () => {
  const held = Promise.withResolvers<Uint8Array>();
  const first = cutPicture([{ load: () => held.promise, share: whole }], layouts, options);
  const part = { load: async () => white, share: whole };
  for (const owner of ['key', 'other key'])
    await expect(cutPicture([part], layouts, { ...options, owner, waitMs: 1 })).rejects.toMatchObject({
      status: 'UNAVAILABLE',
      message: 'The service is busy with other pictures.',
      retryAfterSeconds: 5,
    });
  const waiting = cutPicture([part], layouts, options);
  held.resolve(white);
  expect((await first).bytes).toEqual((await waiting).bytes);
});

test('a part that cannot be loaded frees the turn', async () => {
  const failing = { load: () => Promise.reject(new Error('gone')), share: whole };
  await expect(cutPicture([failing], layouts, options)).rejects.toThrow('gone');
  const { layout } = await cutPicture([{ load: async () => white, share: whole }], layouts, options);
  expect(layout).toBe(layouts[0]);
});

test('transparent parts are shown on white', async () => {
  const clear = { r: 0, g: 0, b: 0, alpha: 0 };
  const bytes = await sharp({ create: { width: 64, height: 32, channels: 4, background: clear } })
    .webp({ lossless: true })
    .toBuffer();
  const made = await cutPicture([{ load: async () => bytes, share: whole }], layouts, {
    ...options,
    outline: false,
  });
  const pixels = await sharp(made.bytes).raw().toBuffer();
  expect(Math.min(...pixels)).toBeGreaterThan(250);
});

test('a picture that fits in no layout, and parts that do not belong together, are failures', async () => {
  const part = { load: async () => white, share: whole };
  await expect(cutPicture([part], layouts, { ...options, maxBytes: 10 })).rejects.toMatchObject({
    status: 'FAILED_PRECONDITION',
  });
  const half = { ...part, share: { ...whole, width: 0.5 } };
  for (const parts of [[], [part, half]])
    await expect(cutPicture(parts, layouts, options)).rejects.toMatchObject({
      status: 'FAILED_PRECONDITION',
      message: 'The stored screenshot is damaged and cannot be read.',
    });
});
