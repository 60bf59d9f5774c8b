import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeS3 {
  url: string;
  objects: Map<string, { bytes: Buffer; mimeType: string }>;
  /** Uploads in parts that have not been completed, by id. */
  uploads: Map<string, Buffer[]>;
  requests: { method: string; url: string; authorization: string | undefined }[];
  /** While it is true, requests are answered with 503. */
  isAway: boolean;
  close(): Promise<unknown>;
}

/** Speaks as much of the S3 protocol as a blob store needs, in pages of two keys. */
export async function startFakeS3(): Promise<FakeS3> {
  const objects: FakeS3['objects'] = new Map();
  const uploads: FakeS3['uploads'] = new Map();
  const requests: FakeS3['requests'] = [];
  const server = createServer(async (request, response) => {
    const bytes = await readBody(request);
    const url = new URL(request.url!, 'http://s3');
    requests.push({
      method: request.method!,
      url: request.url!,
      authorization: request.headers.authorization,
    });
    const key = decodeURIComponent(url.pathname.slice(1));
    const sendXml = (status: number, xml: string) =>
      response.writeHead(status, { 'content-type': 'application/xml' }).end(`<?xml version="1.0"?>${xml}`);

    if (fake.isAway) {
      sendXml(503, '<Error><Code>ServiceUnavailable</Code></Error>');
    } else if (url.searchParams.has('uploads') || url.searchParams.has('uploadId')) {
      const xml = answerUpload({ uploads, objects }, { request, url, key, bytes });
      if (xml === undefined) response.writeHead(200, { etag: '"1"' }).end();
      else sendXml(200, xml);
    } else if (request.method === 'PUT') {
      objects.set(key, { bytes, mimeType: request.headers['content-type'] ?? '' });
      response.writeHead(200, { etag: '"1"' }).end();
    } else if (request.method === 'GET' && url.searchParams.get('list-type') === '2') {
      const prefix = `${key.replace(/\/$/, '')}/${url.searchParams.get('prefix') ?? ''}`;
      const start = url.searchParams.get('continuation-token') ?? '';
      const matching = [...objects.keys()].filter((name) => name.startsWith(prefix) && name > start).sort();
      const page = matching.slice(0, 2);
      const isMore = matching.length > page.length;
      const bucket = `${key.replace(/\/$/, '')}/`;
      sendXml(
        200,
        `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><KeyCount>${page.length}</KeyCount>
        <IsTruncated>${isMore}</IsTruncated>${isMore ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''}
        ${page
          .map((name) => {
            const size = objects.get(name)!.bytes.length;
            return `<Contents><Key>${name.slice(bucket.length)}</Key><Size>${size}</Size></Contents>`;
          })
          .join('')}</ListBucketResult>`,
      );
    } else if (request.method === 'POST' && url.searchParams.has('delete')) {
      const bucket = key.replace(/\/$/, '');
      for (const [, name] of bytes.toString().matchAll(/<Key>([^<]*)<\/Key>/g))
        objects.delete(`${bucket}/${name}`);
      sendXml(200, '<DeleteResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"></DeleteResult>');
    } else if (request.method === 'DELETE') {
      objects.delete(key);
      response.writeHead(204).end();
    } else if (request.method === 'GET') {
      const found = objects.get(key);
      if (found) response.writeHead(200, { 'content-type': found.mimeType }).end(found.bytes);
      else sendXml(404, '<Error><Code>NoSuchKey</Code><Message>The key does not exist.</Message></Error>');
    } else {
      sendXml(501, '<Error><Code>NotImplemented</Code></Error>');
    }
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const fake: FakeS3 = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    uploads,
    requests,
    isAway: false,
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  };
  return fake;
}

async function readBody(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Begins, continues, completes or aborts an upload in parts. Returns the XML of the answer, if it has any. */
function answerUpload(
  { uploads, objects }: Pick<FakeS3, 'uploads' | 'objects'>,
  { request, url, key, bytes }: { request: IncomingMessage; url: URL; key: string; bytes: Buffer },
): string | undefined {
  const id = url.searchParams.get('uploadId') ?? `upload-${uploads.size}`;
  if (url.searchParams.has('uploads')) {
    uploads.set(id, []);
    return `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`;
  }
  const parts = uploads.get(id) ?? [];
  if (request.method === 'PUT') {
    parts[Number(url.searchParams.get('partNumber')) - 1] = bytes;
    return undefined;
  }
  if (request.method === 'POST') {
    objects.set(key, { bytes: Buffer.concat(parts), mimeType: 'application/x-tar' });
    uploads.delete(id);
    return '<CompleteMultipartUploadResult><ETag>"1"</ETag></CompleteMultipartUploadResult>';
  }
  uploads.delete(id);
  return undefined;
}
