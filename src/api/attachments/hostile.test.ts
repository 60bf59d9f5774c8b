import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { serviceUrl } from '../../../test/client/client-stage.ts';
import { PLACE } from '../../../test/documents/annotations.ts';
import {
  addNoteWith,
  announce,
  blobKeysOf,
  CREATE,
  download,
  GET_ATTACHMENT,
  png,
  put,
} from '../../../test/documents/attachments.ts';
import { withDocument } from '../../../test/live/live-node.ts';
import { type TestWorkspace, testApp } from '../../../test/service/harness.ts';

const stateOf = async (workspace: TestWorkspace, attachmentId: string): Promise<string> =>
  (await workspace.must(GET_ATTACHMENT, { ...PLACE, attachmentId })).status;

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';

/** Announces and uploads a file; returns the answer of the upload, and the file as it is sent to browsers. */
async function send(workspace: TestWorkspace, mimeType: string, content: string | Buffer, fileName = 'file') {
  const bytes = Buffer.from(content);
  const { attachmentId, uploadUrl } = await announce(workspace, { size: bytes.length, mimeType, fileName });
  const answer = await put(uploadUrl, bytes, mimeType);
  if (answer.status !== 200) return { answer };
  const { url } = await workspace.must(GET_ATTACHMENT, { ...PLACE, attachmentId });
  return { answer, file: await download(url) };
}

test('a file of another size than announced is refused before and while it is read', async () => {
  const workspace = await withDocument();
  const bytes = png();
  const { attachmentId, uploadUrl } = await announce(workspace, { size: bytes.length });
  for (const wrong of [Buffer.concat([bytes, Buffer.of(0)]), bytes.subarray(1), Buffer.alloc(0)]) {
    expect(await put(uploadUrl, wrong)).toMatchObject({ status: 400, code: 'INVALID_ARGUMENT' });
  }
  expect(await stateOf(workspace, attachmentId)).toBe('announced');

  // Without a length, reading ends at the announced size: the endless body is cut off.
  const base = await serviceUrl();
  const { pathname, search } = new URL(uploadUrl);
  let sent = 0;
  const endless = new ReadableStream({
    pull(controller) {
      sent += 65_536;
      controller.enqueue(new Uint8Array(65_536));
    },
  });
  const answer = await fetch(`${base}${pathname}${search}`, {
    method: 'PUT',
    headers: { 'content-type': 'image/png' },
    body: endless,
    duplex: 'half',
  } as RequestInit).then(
    ({ status }) => status,
    () => 'closed',
  );
  expect([413, 'closed']).toContain(answer);
  expect(sent).toBeLessThan(20_000_000);
  expect(await stateOf(workspace, attachmentId)).toBe('announced');
  expect(await put(uploadUrl, bytes)).toMatchObject({ status: 200 });
});

test('an upload that is cut off leaves nothing, and can be repeated', async () => {
  const workspace = await withDocument();
  const bytes = png();
  const { attachmentId, uploadUrl } = await announce(workspace, { size: bytes.length });
  const base = new URL(await serviceUrl());
  const { pathname, search } = new URL(uploadUrl);
  const socket = connect(Number(base.port), base.hostname);
  await once(socket, 'connect');
  socket.write(
    `PUT ${pathname}${search} HTTP/1.1\r\nhost: x\r\ncontent-type: image/png\r\ncontent-length: ${bytes.length}\r\n\r\n`,
  );
  socket.write(bytes.subarray(0, 40));
  socket.resume().end();
  await once(socket, 'close');
  expect(await stateOf(workspace, attachmentId)).toBe('announced');
  expect(await blobKeysOf(workspace.apiKeyId)).toEqual(new Map([[attachmentId, null]]));
  expect(await put(uploadUrl, bytes)).toMatchObject({ status: 200 });
});

test('a file must be of its type by its first bytes', async () => {
  const workspace = await withDocument();
  const html = '<!doctype html><script>alert(1)</script>';
  for (const [mimeType, content] of [
    ['image/png', html],
    ['image/png', svg],
    ['image/png', Buffer.from('\xff\xd8\xff\xe0', 'latin1')],
    ['image/png', png().subarray(0, 12)],
    ['image/jpeg', png()],
    ['image/webp', Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1')],
    ['application/pdf', html],
    ['text/plain', png()],
    ['text/html', png()],
    ['text/csv', Buffer.from('a\0b')],
    ['video/mp4', png()],
    ['audio/x-new', Buffer.from('MZ program')],
  ] as const) {
    const { answer } = await send(workspace, mimeType, Buffer.from(content));
    expect([mimeType, answer.status, answer.code]).toEqual([mimeType, 400, 'INVALID_ARGUMENT']);
  }
  const { uploadUrl } = await announce(workspace, { size: png().length });
  expect(await put(uploadUrl, png(), 'text/html')).toMatchObject({ status: 400, code: 'INVALID_ARGUMENT' });
});

test('pictures whose pixels would fill the memory of a browser are refused', async () => {
  const workspace = await withDocument();
  expect((await send(workspace, 'image/png', png(10_000, 10_000))).answer.status).toBe(200);
  for (const [width, height] of [
    [10_001, 10_000],
    [4_294_967_295, 4_294_967_295],
    [0, 5],
  ] as const) {
    const { answer } = await send(workspace, 'image/png', png(width, height));
    expect([width, answer.status, answer.code]).toEqual([width, 400, 'INVALID_ARGUMENT']);
  }
});

test('nothing that a browser would run is shown, whatever its type and content', async () => {
  const workspace = await withDocument();
  const polyglot = Buffer.concat([Buffer.from('GIF89a'), Buffer.from('\n\0\n\0/*<script>*/alert(1)')]);
  for (const [mimeType, content, sentAs, disposition] of [
    ['image/svg+xml', svg, 'application/octet-stream', 'attachment'],
    ['text/html', '<script>alert(1)</script>', 'application/octet-stream', 'attachment'],
    ['application/xhtml+xml', svg, 'application/octet-stream', 'attachment'],
    ['text/xml', svg, 'application/octet-stream', 'attachment'],
    ['text/javascript', 'alert(1)', 'application/octet-stream', 'attachment'],
    ['application/x-unknown', '<script>', 'application/octet-stream', 'attachment'],
    ['application/octet-stream', svg, 'application/octet-stream', 'attachment'],
    ['text/plain', '<script>', 'text/plain', 'attachment'],
    ['application/pdf', '%PDF-1.7 <script>', 'application/pdf', 'attachment'],
    // Shown as a picture alone: the type is fixed by nosniff, and the sandbox forbids scripts.
    ['image/gif', polyglot, 'image/gif', 'inline'],
    ['image/png', Buffer.concat([png(), Buffer.from(svg)]), 'image/png', 'inline'],
  ] as const) {
    const { answer, file } = await send(workspace, mimeType, Buffer.from(content));
    expect([mimeType, answer.status, answer.message]).toEqual([mimeType, 200, undefined]);
    expect(file!.headers['content-type']).toBe(sentAs);
    expect(file!.headers['content-disposition']).toMatch(new RegExp(`^${disposition}; filename="file";`));
    expect(file!.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
  }
});

test('file names cannot change headers or paths', async () => {
  const workspace = await withDocument();
  const refused = [
    'a\r\nset-cookie: x=1',
    'a\0b',
    '../../etc/passwd',
    '..\\x',
    '/etc/passwd',
    '.',
    '..',
    ' ',
    '',
  ];
  for (const fileName of [...refused, `${'x'.repeat(256)}`, 'cod\u202egnp.exe']) {
    const data = { ...PLACE, fileName, mimeType: 'text/plain', size: 1 };
    const { status, body } = await workspace.post(CREATE, data);
    expect([fileName, status, body.error.status]).toEqual([fileName, 400, 'INVALID_ARGUMENT']);
  }
  for (const [fileName, header] of [
    [
      `a";filename=evil.exe;'(*)%`,
      `attachment; filename="a__filename_evil.exe______"; filename*=UTF-8''a%22%3Bfilename%3Devil.exe%3B%27%28%2A%29%25`,
    ],
    ['%2e%2e%2fx', `attachment; filename="_2e_2e_2fx"; filename*=UTF-8''%252e%252e%252fx`],
    ['😀.txt', `attachment; filename="__.txt"; filename*=UTF-8''%F0%9F%98%80.txt`],
  ] as const) {
    const { file } = await send(workspace, 'text/plain', 'text', fileName);
    expect(file!.headers['content-disposition']).toBe(header);
  }
});

test('announcements are limited in size, type and number', async () => {
  const workspace = await withDocument();
  const data = { ...PLACE, fileName: 'x', mimeType: 'image/png', size: 1 };
  for (const wrong of [
    { size: 10_485_761 },
    { mimeType: 'image' },
    { mimeType: 'image/png; charset=x' },
    { mimeType: 'IMAGE/PNG' },
    { mimeType: 'image/png\r\nx: y' },
  ]) {
    const { status, body } = await workspace.post(CREATE, { ...data, ...wrong });
    expect([wrong, status, body.error.status]).toEqual([wrong, 400, 'INVALID_ARGUMENT']);
  }
  const missing = await workspace.post(CREATE, { ...data, documentId: 'none' });
  expect([missing.status, missing.body.error.status]).toEqual([404, 'NOT_FOUND']);
});

test('a link takes one file, within its time, and only for its purpose', async () => {
  const [workspace, other] = [await withDocument(), await withDocument()];
  const { attachmentId, uploadUrl } = await announce(workspace, { size: png().length });
  for (const [from, to] of [
    ['purpose=attachment-upload', 'purpose=attachment'],
    ['expires=', 'expires=9'],
    [`key=${workspace.apiKeyId}`, `key=${other.apiKeyId}`],
    ['signature=', 'signature=A'],
    [attachmentId, attachmentId.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))],
    [attachmentId, '..%2F..%2Fx'],
  ] as const) {
    expect([from, (await put(uploadUrl.replace(from, to), png())).status]).toEqual([from, 403]);
  }
  expect((await download(uploadUrl)).statusCode).toBe(404);
  expect((await download(uploadUrl.replace('/uploads/', '/files/'))).statusCode).toBe(403);
  const answers = await Promise.all([1, 2, 3, 4].map(() => put(uploadUrl, png())));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  expect(answers.filter(({ code }) => code === 'FAILED_PRECONDITION')).toHaveLength(3);
  await addNoteWith(workspace, 'a', [attachmentId]);
  expect(await put(uploadUrl, png())).toMatchObject({ status: 400, code: 'FAILED_PRECONDITION' });

  const { deps } = await testApp();
  const late = await announce(workspace, { size: png().length });
  await deps.db
    .updateTable('attachments')
    .set({ uploadUntil: Date.now() - 1 })
    .where('attachmentId', '=', late.attachmentId)
    .execute();
  expect(await put(late.uploadUrl, png())).toMatchObject({ status: 403, code: 'PERMISSION_DENIED' });
  expect(await stateOf(workspace, late.attachmentId)).toBe('announced');
});

test('pages of other origins may upload, and read the answer', async () => {
  const workspace = await withDocument();
  const { uploadUrl } = await announce(workspace, { size: png().length });
  const { app } = await testApp();
  const { pathname, search } = new URL(uploadUrl);
  const origin = 'https://page.example';
  const preflight = await app.inject({
    method: 'OPTIONS',
    url: pathname + search,
    headers: { origin, 'access-control-request-method': 'PUT' },
  });
  expect([preflight.statusCode, preflight.headers]).toMatchObject([
    204,
    { 'access-control-allow-origin': origin, 'access-control-allow-methods': 'PUT' },
  ]);
  const answer = await app.inject({
    method: 'PUT',
    url: pathname + search,
    headers: { origin, 'content-type': 'image/png' },
    payload: png(),
  });
  expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([200, origin]);
});
