import { type Connection, resultOf, unanswered } from './connection.ts';
import { errorOf, isRepeatable, RedpenError } from './errors.ts';
import { notify } from './notify.ts';
import type { Operations } from './operations.ts';
import { sleep } from './waiting.ts';

type Create = Operations['/v2/attachments/create'];
type Ingest = Operations['/v2/memory/knowledge/upload-url'];
type Status = Operations['/v2/memory/knowledge/ingest-status']['result'];

/** How much of a file has been sent, in bytes. */
export interface UploadProgress {
  sent: number;
  total: number;
}

interface Sending {
  /** By default the name of a `File`. */
  fileName?: string | undefined;
  /** By default the type of the blob. */
  mimeType?: string | undefined;
  /** Called while the file is sent, and once at its end. If the network fails, it begins anew. */
  onProgress?: ((progress: UploadProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export interface AttachmentUpload extends Sending {
  organizationId: string;
  documentId: string;
}

/** A file that has arrived, for `attachments` of a comment. */
export interface UploadedAttachment {
  attachmentId: Create['result']['attachmentId'];
  fileName: string;
  mimeType: string;
  size: number;
}

export interface KnowledgeUpload extends Sending {
  organizationId?: string | undefined;
  documentId?: string | undefined;
}

/** A file that the memory has read. */
export type UploadedKnowledge = Status & { status: 'completed' };

/** Methods of the groups `attachments` and `knowledge`. */
export interface Uploads {
  attachments: {
    /** Uploads a file for `attachments` of a comment on the document. */
    upload(blob: Blob, options: AttachmentUpload): Promise<UploadedAttachment>;
  };
  knowledge: {
    /** Uploads a file and waits until the memory has read it. */
    upload(blob: Blob, options?: KnowledgeUpload): Promise<UploadedKnowledge>;
  };
}

export const uploadsOf = (connection: Connection): Uploads => ({
  attachments: { upload: (blob, options) => uploadAttachment(connection, blob, options) },
  knowledge: { upload: (blob, options) => uploadKnowledge(connection, blob, options) },
});

const TRIES = 4;
const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 5_000;

/** Announces a file and uploads it. */
async function uploadAttachment(
  connection: Connection,
  blob: Blob,
  { organizationId, documentId, ...sending }: AttachmentUpload,
): Promise<UploadedAttachment> {
  const { signal } = sending;
  const mimeType = typeOf(blob, sending);
  const fileName = sending.fileName ?? nameOf(blob) ?? 'file';
  const data = { organizationId, documentId, fileName, mimeType, size: blob.size };
  const announced = await connection.send('/v2/attachments/create', data, { signal });
  const { attachmentId, uploadUrl } = resultOf(announced) as Create['result'];
  await sendFile(connection, uploadUrl, blob, mimeType, sending);
  return { attachmentId, fileName, mimeType, size: blob.size };
}

/** Announces a file, uploads it, and waits until the memory has read it. */
async function uploadKnowledge(
  connection: Connection,
  blob: Blob,
  { organizationId, documentId, ...sending }: KnowledgeUpload = {},
): Promise<UploadedKnowledge> {
  const { signal } = sending;
  const mimeType = typeOf(blob, sending);
  const fileName = sending.fileName ?? nameOf(blob);
  const place = {
    ...(organizationId !== undefined && { organizationId }),
    ...(documentId !== undefined && { documentId }),
  };
  const ask = async (name: string, data: object): Promise<unknown> =>
    resultOf(await connection.send(`/v2/memory/knowledge/${name}`, data, { signal }));
  const announced = { mimeType, fileSize: blob.size, ...(fileName && { fileName }), ...place };
  const { uploadUrl, fileRef } = (await ask('upload-url', announced)) as Ingest['result'];
  await sendFile(connection, uploadUrl, blob, mimeType, sending);
  const ingested = await ask('ingest', { source: 'fileRef', fileRef, mimeType, ...place });
  const { sourceId } = ingested as { sourceId: string };
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 1.5)) {
    const state = (await ask('ingest-status', { sourceId })) as Status;
    if (state.status === 'completed') return state as UploadedKnowledge;
    if (state.status === 'failed') {
      const message = state.metadata?.message ?? 'The file cannot be read.';
      throw new RedpenError('FAILED_PRECONDITION', message, { code: state.failureReason });
    }
    await sleep(pauseMs, signal);
  }
}

const nameOf = (blob: Blob): string | undefined => (blob as Partial<File>).name || undefined;

/** The media type without its parameters. */
const typeOf = (blob: Blob, { mimeType }: Sending): string =>
  (mimeType ?? blob.type).split(';')[0]!.trim().toLowerCase() || 'application/octet-stream';

/** Sends a file over a signed link, again if the network fails. */
async function sendFile(
  connection: Connection,
  url: string,
  blob: Blob,
  mimeType: string,
  { onProgress, signal }: Sending,
): Promise<void> {
  const total = blob.size;
  const report = (sent: number) => notify(() => onProgress?.({ sent: Math.min(sent, total), total }));
  const { fetch } = connection.options;
  const isXhr = onProgress && !fetch && typeof XMLHttpRequest === 'function';
  const put = isXhr ? putByXhr : putByFetch;
  let isUnsure = false;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    try {
      await put({ url, blob, mimeType, signal, report, isWatched: !!onProgress, fetch });
      return report(total);
    } catch (thrown) {
      signal?.throwIfAborted();
      const error = unanswered(thrown);
      // The answer to an earlier attempt was lost, but the file had arrived.
      if (isUnsure && error.status === 'FAILED_PRECONDITION') return report(total);
      isUnsure ||= error.httpStatus === undefined || error.httpStatus >= 500;
      if (!isRepeatable(error) || attempt >= TRIES) throw error;
      await sleep(error.retryAfterMs ?? FIRST_PAUSE_MS * 3 ** (attempt - 1), signal);
    }
  }
}

interface Put {
  url: string;
  blob: Blob;
  mimeType: string;
  signal: AbortSignal | undefined;
  report(sent: number): void;
  isWatched: boolean;
  fetch: typeof fetch | undefined;
}

/** Browsers report the progress of an upload to this interface alone. */
const putByXhr = ({ url, blob, mimeType, signal, report }: Put): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    request.open('PUT', url);
    request.setRequestHeader('content-type', mimeType);
    request.upload.onprogress = ({ loaded }) => report(loaded);
    request.onload = () => {
      const { status, responseText } = request;
      if (status >= 200 && status < 300) return resolve();
      const headers = { get: (name: string) => request.getResponseHeader(name) } as Headers;
      reject(errorOf({ status, headers } as Response, responseText));
    };
    request.onerror = () => reject(new TypeError('The upload was broken off.'));
    request.onabort = () => reject(signal?.reason);
    request.onloadend = () => signal?.removeEventListener('abort', stop);
    signal?.addEventListener('abort', stop, { once: true });
    request.send(blob);
  });

async function putByFetch({ url, blob, mimeType, signal, report, isWatched, ...given }: Put): Promise<void> {
  const canStream = isWatched && typeof window === 'undefined';
  const init = {
    method: 'PUT',
    headers: { 'content-type': mimeType },
    body: canStream ? counted(blob, report) : blob,
    ...(canStream && { duplex: 'half' }),
    ...(signal && { signal }),
  };
  const response = await (given.fetch ?? fetch)(url, init as RequestInit);
  const text = await response.text();
  if (!response.ok) throw errorOf(response, text);
}

const PART_BYTES = 65_536;

/** The bytes of a blob; reports how many the connection has taken. */
function counted(blob: Blob, report: (sent: number) => void): ReadableStream<Uint8Array> {
  let sent = 0;
  // A part is only read when the connection asks for it. The stream of a blob may have all bytes in one chunk.
  return new ReadableStream(
    {
      async pull(controller) {
        report(sent);
        if (sent >= blob.size) return controller.close();
        const part = await blob.slice(sent, sent + PART_BYTES).arrayBuffer();
        sent += part.byteLength;
        controller.enqueue(new Uint8Array(part));
      },
    },
    { highWaterMark: 0 },
  );
}
