import sharp from 'sharp';
import { expect, test } from 'vitest';
import { addResults } from '../../../../test/every-operation/reviewed-run.ts';
import { type KeptTile, keepScreenshot, plainPicture } from '../../../../test/reviews/screenshots.ts';
import { newWorkspace, testApp } from '../../../../test/service/harness.ts';

const PATH = '/v2/agents/findings/picture';
const NOWHERE = 'http://127.0.0.1:9/';

/** A workspace with a finding of a run that no worker carried out. */
async function withFinding() {
  const w = await newWorkspace();
  const { executionId } = await w.must('/v2/agents/execution/run', {
    agentId: 'broken-links',
    url: NOWHERE,
  });
  const [findingId = ''] = await addResults(w, executionId, NOWHERE, 'a');
  return { w, findingId };
}

type Screenshot = Parameters<typeof keepScreenshot>[3];

/** The picture of a finding with this screenshot, with its pixels. */
async function pictureOf(tiles: KeptTile[], screenshot: Screenshot, data: object = {}) {
  const { w, findingId } = await withFinding();
  await keepScreenshot(w, findingId, tiles, screenshot);
  const { picture } = await w.must(PATH, { findingId, ...data });
  const bytes = Buffer.from(picture.base64, 'base64');
  const { data: pixels, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: picture.width, height: picture.height, channels: 3 });
  expect((await sharp(bytes).metadata()).format).toBe('webp');
  const colorAt = (x: number, y: number) => {
    const at = (Math.round(y) * info.width + Math.round(x)) * 3;
    const [red = 0, green = 0, blue = 0] = pixels.subarray(at, at + 3);
    // Lossy compression shifts colors a little.
    const isHigh = [red, green, blue].map((value) => (value > 150 ? 1 : 0)).join('');
    return { '100': 'red', '010': 'green', '001': 'blue', '111': 'white', '000': 'black' }[isHigh];
  };
  return { picture, bytes, colorAt };
}

const black = async (width: number, height: number, scale = 1): Promise<KeptTile> => ({
  bytes: await plainPicture(width * scale, height * scale, [0, 0, 0]),
  width,
  height,
});
const position = { x: 600, y: 300, width: 80, height: 40 };

test('the picture shows the element and its surroundings, with an outline', async () => {
  const { picture, bytes, colorAt } = await pictureOf([await black(1_280, 900)], { fields: { position } });
  expect(picture).toMatchObject({
    mimeType: 'image/webp',
    ...{ width: 640, height: 400, scale: 1 },
    area: { x: 320, y: 120, width: 640, height: 400 },
    box: { x: 280, y: 180, width: 80, height: 40 },
  });
  expect(bytes.length).toBeLessThan(150_000);
  expect(colorAt(320, 200)).toBe('black');
  expect(colorAt(100, 100)).toBe('black');
  // Chroma is stored at half of the resolution, so that only the middle of the red line is surely red.
  const redAround = [277.5, 278].map((x) => colorAt(x, 200));
  expect(redAround).toContain('red');
  expect([178, 177].map((y) => colorAt(320, y))).toContain('red');
});

test('without an outline the picture is the page alone', async () => {
  const { picture, colorAt } = await pictureOf(
    [await black(1_280, 900)],
    { fields: { position } },
    { outline: false },
  );
  expect(picture.box).toEqual({ x: 280, y: 180, width: 80, height: 40 });
  for (let x = 270; x < 290; x++) expect(colorAt(x, 200)).toBe('black');
});

test('the outline has white lines, which show on a red page', async () => {
  const red = { bytes: await plainPicture(1_280, 900, [224, 30, 55]), width: 1_280, height: 900 };
  const { colorAt } = await pictureOf([red], { fields: { position } });
  const across = Array.from({ length: 16 }, (_, index) => colorAt(268 + index, 200));
  expect(across).toContain('white');
  expect(colorAt(240, 200)).toBe('red');
});

test('a place on the border of two tiles is joined from both', async () => {
  const tiles = [
    { bytes: await plainPicture(800, 1_000, [0, 255, 0]), width: 800, height: 1_000 },
    { bytes: await plainPicture(800, 700, [0, 0, 255]), width: 800, height: 700 },
  ];
  const fields = { position: { x: 100, y: 980, width: 100, height: 60 } };
  const { picture, colorAt } = await pictureOf(tiles, { fields }, { outline: false });
  const border = 1_000 - picture.area.y;
  expect(border).toBe(190);
  expect([border - 60, border - 3].map((y) => colorAt(500, y))).toEqual(['green', 'green']);
  expect([border + 3, border + 60].map((y) => colorAt(500, y))).toEqual(['blue', 'blue']);
});

test('a picture of twice the pixels is used up to the size limit', async () => {
  const { picture, colorAt } = await pictureOf([await black(1_280, 900, 2)], {
    scale: 2,
    fields: { position },
  });
  expect(picture).toMatchObject({
    ...{ width: 1_024, height: 640, scale: 1.6 },
    box: { x: 448, y: 288, width: 128, height: 64 },
  });
  expect(colorAt(512, 320)).toBe('black');
});

test('an element at the edge of the page has its outline within the picture', async () => {
  const fields = { position: { x: -10, y: 880, width: 60, height: 100 } };
  const { picture, colorAt } = await pictureOf([await black(1_280, 900)], { fields });
  expect(picture.box).toEqual({ x: 0, y: 380, width: 50, height: 20 });
  expect([1, 2].map((x) => colorAt(x, 390))).toContain('red');
  expect([397, 398].map((y) => colorAt(25, y))).toContain('red');
});

test('a finding about the whole page shows the top of the page, scaled down', async () => {
  const { picture } = await pictureOf([await black(1_280, 3_000)], {
    fields: { isPageLevel: true, position },
  });
  expect(picture).toMatchObject({
    ...{ width: 1_024, height: 640, scale: 0.8 },
    area: { x: 0, y: 0, width: 1_280, height: 800 },
  });
  expect(picture).not.toHaveProperty('box');
});

test('a picture that does not compress well is made smaller until it fits', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 90 } as const;
  const bytes = await sharp({
    create: { width: 2_048, height: 2_048, channels: 3, background: '#000', noise },
  })
    .webp({ quality: 95 })
    .toBuffer();
  const tile = { bytes, width: 2_048, height: 2_048 };
  const fields = { position: { x: 500, y: 500, width: 920, height: 920 } };
  const { picture, bytes: result } = await pictureOf([tile], { fields });
  expect(result.length).toBeLessThanOrEqual(150_000);
  expect(picture.width).toBeLessThan(1_000);
  expect(picture.scale * picture.area.width).toBeCloseTo(picture.width, 0);
  expect(picture.box.x).toBe(Math.floor((500 - picture.area.x) * picture.scale));
});

test('a missing finding and a missing screenshot are told apart', async () => {
  const { w, findingId } = await withFinding();
  const unknown = await w.post(PATH, { findingId: 'fnd_unknown' });
  expect([unknown.status, unknown.body.error.message]).toEqual([404, 'Finding not found: fnd_unknown']);
  const without = await w.post(PATH, { findingId });
  expect(without.body.error).toMatchObject({
    status: 'FAILED_PRECONDITION',
    message: expect.stringMatching(/^The last run that saw the finding kept no screenshot: /),
  });
  const [blobKey = ''] = await keepScreenshot(w, findingId, [await black(320, 200)]);
  await w.must(PATH, { findingId });
  await (await testApp()).deps.outside.blobs.deletePrefix(blobKey);
  const deleted = await w.post(PATH, { findingId });
  expect(deleted.body.error).toMatchObject({
    status: 'FAILED_PRECONDITION',
    message: 'The screenshot of the page is not kept any more.',
  });
});

test('a screenshot that is no WebP picture, or is cut off, is a clear failure', async () => {
  const { bytes, ...size } = await black(640, 400);
  const noise = await sharp({
    create: {
      width: 640,
      height: 400,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', sigma: 50 },
    },
  })
    .webp()
    .toBuffer();
  const png = await sharp({ create: { width: 640, height: 400, channels: 3, background: '#000' } })
    .png()
    .toBuffer();
  const hugeHeader = Buffer.from(bytes);
  hugeHeader.writeUInt16LE(16_383, 26);
  hugeHeader.writeUInt16LE(16_383, 28);
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  const damaged = [
    Buffer.from('no picture'),
    Buffer.alloc(0),
    png,
    svg,
    noise.subarray(0, 2_000),
    bytes.subarray(0, 40),
    hugeHeader,
  ];
  const { w, findingId } = await withFinding();
  for (const broken of damaged) {
    await keepScreenshot(w, findingId, [{ ...size, bytes: broken }]);
    const { status, body } = await w.post(PATH, { findingId });
    expect([status, body.error.status, body.error.message]).toEqual([
      400,
      'FAILED_PRECONDITION',
      'The stored screenshot is damaged and cannot be read.',
    ]);
  }
});

test('many requests at once are answered one after the other', async () => {
  const { w, findingId } = await withFinding();
  await keepScreenshot(w, findingId, [await black(1_280, 2_000)], { fields: { position } });
  const replies = await Promise.all(Array.from({ length: 12 }, () => w.post(PATH, { findingId })));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(replies.map(({ body }) => body.result.data.picture.base64)).size).toBe(1);
});

test('no picture is stored for an idempotency key', async () => {
  const { w, findingId } = await withFinding();
  await keepScreenshot(w, findingId, [await black(640, 400)]);
  const headers = { 'idempotency-key': 'same' };
  expect((await w.post(PATH, { findingId }, headers)).status).toBe(200);
  const again = await w.post(PATH, { findingId, outline: false }, headers);
  expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, undefined]);
});
