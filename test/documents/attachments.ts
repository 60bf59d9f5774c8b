import { deflateSync } from 'node:zlib';
import { type Reply, testApp } from '../service/harness.ts';
import { ADD, ann, PLACE } from './annotations.ts';

/** A backend or a user. */
export interface Asker {
  post(path: string, data?: unknown): Promise<Reply>;
}

export const CREATE = '/v2/attachments/create';
export const GET_ATTACHMENT = '/v2/attachments/get';
export const LIST_ATTACHMENTS = '/v2/attachments/list';
export const DELETE_ATTACHMENT = '/v2/attachments/delete';

/** The head of a PNG picture of this size, which is all of it that the service reads. */
export function png(width = 3, height = 2): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const pixels = deflateSync(Buffer.alloc(100));
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

export interface Announced {
  attachmentId: string;
  uploadUrl: string;
  expiresAt: number;
}

export async function announce(
  asker: Asker,
  { size, ...more }: { size: number; mimeType?: string; fileName?: string; documentId?: string },
): Promise<Announced> {
  const data = { ...PLACE, fileName: 'shot.png', mimeType: 'image/png', size, ...more };
  const { status, body } = await asker.post(CREATE, data);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.result.data;
}

/** Uploads bytes over a link; returns the HTTP status, the status of the answer, and its message. */
export async function put(url: string, bytes: Uint8Array, mimeType = 'image/png') {
  const { app } = await testApp();
  const { pathname, search } = new URL(url);
  const answer = await app.inject({
    method: 'PUT',
    url: pathname + search,
    headers: { 'content-type': mimeType },
    payload: Buffer.from(bytes),
  });
  const { error, result } = answer.json();
  return { status: answer.statusCode, code: error?.status ?? result.status, message: error?.message };
}

/** Announces a file and uploads it. */
export async function upload(
  asker: Asker,
  bytes: Uint8Array = png(),
  more: { mimeType?: string; fileName?: string; documentId?: string } = {},
): Promise<string> {
  const { attachmentId, uploadUrl } = await announce(asker, { size: bytes.length, ...more });
  const { status, message } = await put(uploadUrl, bytes, more.mimeType);
  if (status !== 200) throw new Error(message);
  return attachmentId;
}

/** Requests the file of a link. */
export async function download(url: string) {
  const { app } = await testApp();
  const { pathname, search } = new URL(url);
  return await app.inject(pathname + search);
}

/** Adds an annotation whose first comment, number 1, holds files. */
export const addNoteWith = async (asker: Asker, annotationId: string, attachmentIds: string[], more = {}) =>
  await asker.post(ADD, {
    ...PLACE,
    commentAnnotations: [
      {
        annotationId,
        ...more,
        commentData: [
          {
            commentId: 1,
            commentText: 'See.',
            from: ann,
            attachments: attachmentIds.map((attachmentId) => ({ attachmentId })),
          },
        ],
      },
    ],
  });

/** The blob keys of an API key's attachments, by id. */
export async function blobKeysOf(apiKeyId: string): Promise<Map<string, string | null>> {
  const { deps } = await testApp();
  const rows = await deps.db
    .selectFrom('attachments')
    .select(['attachmentId', 'blobKey'])
    .where('apiKeyId', '=', apiKeyId)
    .execute();
  return new Map(rows.map((row) => [row.attachmentId, row.blobKey]));
}
