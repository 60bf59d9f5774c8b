import { request as ask, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import type { createClient, Redpen, RedpenError } from '../../packages/client/src/index.ts';
import { newUserToken } from '../people/user-token.ts';
import { expectLog } from '../run/log-watch.ts';
import { until } from '../run/until.ts';
import { newTestContext } from '../service/test-browser.ts';
import { packageFolder } from './bundled.ts';
import { newClient, serviceUrl } from './client-stage.ts';
import { oddServer } from './odd-server.ts';
import { servePage } from './served-page.ts';

declare global {
  interface Window {
    createClient: typeof createClient;
    /** What the page has seen of its upload. */
    upload: { sent: number[]; total: number; stop: AbortController; outcome?: Outcome };
  }
}

interface Outcome {
  attachmentId?: string | number;
  name?: string;
  message?: string;
  status?: string;
  httpStatus?: number | undefined;
}

const place = { organizationId: 'acme', documentId: 'home' };
/** Nearly the most that is allowed, and more than the buffers of a connection take while its other end reads nothing. */
const SIZE = 10_000_000;

let pageUrl: string;
beforeAll(async () => {
  const client = JSON.stringify(join(packageFolder, 'src/index.ts'));
  pageUrl = await servePage(
    `import { createClient } from ${client}; Object.assign(window, { createClient });`,
  );
});

interface Door {
  url: string;
  /** The uploads that have begun, which wait at the door. */
  uploads: IncomingMessage[];
}

/** A way to the service that reads of an upload nothing but its head, until `onUpload` lets it in. */
async function doorTo(
  target: string,
  onUpload: (upload: IncomingMessage, letIn: () => void) => void,
): Promise<Door> {
  const uploads: IncomingMessage[] = [];
  const url = await oddServer((request, response) => {
    const { method, headers, url = '/' } = request;
    const letIn = () => {
      const forwarded = ask(
        target + url,
        { method, headers: { ...headers, 'x-forwarded-host': headers.host } },
        (answer) => {
          response.writeHead(answer.statusCode!, answer.headers);
          pipeline(answer, response).catch(() => {});
        },
      );
      pipeline(request, forwarded).catch(() => {});
    };
    if (method !== 'PUT') return letIn();
    uploads.push(request);
    onUpload(request, letIn);
  });
  return { url, uploads };
}

/** A workspace with a document, and a page of a user that starts to upload a file through the door. */
async function startUpload({ url }: Door, workspace: Awaited<ReturnType<typeof newClient>>['workspace']) {
  const { token } = await newUserToken(workspace, {
    resources: [{ type: 'document', id: 'home', organizationId: 'acme', accessRole: 'editor' }],
  });
  const page = await (await newTestContext()).newPage();
  await page.goto(pageUrl);
  await page.waitForFunction(() => 'createClient' in window);
  await page.evaluate(
    ({ baseUrl, token, place, size }) => {
      const redpen = window.createClient({ baseUrl, getUserToken: () => token });
      const upload: Window['upload'] = { sent: [], total: 0, stop: new AbortController() };
      window.upload = upload;
      const file = new File([new Uint8Array(size).fill(120)], 'long.txt', { type: 'text/plain' });
      const { signal } = upload.stop;
      const onProgress = ({ sent, total }: { sent: number; total: number }) => {
        upload.sent.push(sent);
        upload.total = total;
      };
      redpen.attachments.upload(file, { ...place, signal, onProgress }).then(
        ({ attachmentId }) => {
          upload.outcome = { attachmentId };
        },
        ({ name, message, status, httpStatus }: RedpenError) => {
          upload.outcome = { name, message, status, httpStatus };
        },
      );
    },
    { baseUrl: url, token, place, size: SIZE },
  );
  return page;
}

async function newDocument(): Promise<{
  workspace: Awaited<ReturnType<typeof newClient>>['workspace'];
  redpen: Redpen;
}> {
  const { workspace, redpen } = await newClient();
  await workspace.must('/v2/organizations/add', { organizations: [{ organizationId: 'acme' }] });
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home' }],
  });
  return { workspace, redpen };
}

/** Waits until the page knows that a part of the file has left it. */
async function sendsPart(page: Page): Promise<void> {
  const partOf = (size: number) => {
    const { sent, outcome } = window.upload;
    return outcome ?? sent.some((some) => some > 0 && some < size);
  };
  const found = await page.waitForFunction(partOf, SIZE);
  expect(await found.jsonValue()).toBe(true);
}
const outcomeOf = async (page: Page) => {
  await page.waitForFunction(() => window.upload.outcome);
  return await page.evaluate(() => window.upload);
};
const rising = (numbers: number[]) => numbers.toSorted((one, other) => one - other);

test('a page sees the progress of an upload while the service has not read the file', async () => {
  const { workspace, redpen } = await newDocument();
  const gate = Promise.withResolvers<void>();
  const door = await doorTo(await serviceUrl(), (_, letIn) => void gate.promise.then(letIn));
  const page = await startUpload(door, workspace);
  await sendsPart(page);
  expect(await page.evaluate(() => window.upload.outcome)).toBeUndefined();
  gate.resolve();
  const { sent, total, outcome } = await outcomeOf(page);
  expect(outcome).toEqual({ attachmentId: expect.any(String) });
  expect(sent).toEqual(rising(sent));
  expect(new Set(sent).size).toBeGreaterThan(1);
  expect([sent.at(-1), total]).toEqual([SIZE, SIZE]);
  expect(await redpen.attachments.all(place, { max: 9 })).toMatchObject([
    { attachmentId: outcome!.attachmentId, status: 'uploaded', size: SIZE, fileName: 'long.txt' },
  ]);
  expect(door.uploads).toHaveLength(1);
});

test('the signal of a page ends an upload and its connection', async () => {
  const { workspace, redpen } = await newDocument();
  const door = await doorTo(await serviceUrl(), () => {});
  const page = await startUpload(door, workspace);
  await sendsPart(page);
  await until(() => door.uploads.length > 0, 'the upload at the door');
  // Its error, a body that is too short, counts as well.
  const closed = new Promise((resolve) => door.uploads[0]!.socket.on('close', resolve).on('error', resolve));
  await page.evaluate(() => window.upload.stop.abort(new DOMException('The user has left.', 'AbortError')));
  const { sent, outcome } = await outcomeOf(page);
  expect(outcome).toEqual({ name: 'AbortError', message: 'The user has left.' });
  // What has left the page is read before the end of the connection.
  door.uploads[0]!.resume();
  await closed;
  expect(Math.max(...sent)).toBeLessThan(SIZE);
  expect((await redpen.attachments.all(place, { max: 9 })).map(({ status }) => status)).toEqual([
    'announced',
  ]);
  expect(door.uploads).toHaveLength(1);
});

test('an upload whose connection breaks begins anew, with its progress', async () => {
  const { workspace, redpen } = await newDocument();
  const gate = Promise.withResolvers<void>();
  const door = await doorTo(await serviceUrl(), (upload, letIn) => {
    if (door.uploads.length > 1) letIn();
    else void gate.promise.then(() => upload.socket.destroy());
  });
  const page = await startUpload(door, workspace);
  await sendsPart(page);
  gate.resolve();
  const { sent, outcome } = await outcomeOf(page);
  expect(outcome).toEqual({ attachmentId: expect.any(String) });
  expect([sent.at(-1), door.uploads.length]).toEqual([SIZE, 2]);
  expect((await redpen.attachments.all(place, { max: 9 })).map(({ status }) => status)).toEqual(['uploaded']);
});

test('a connection that breaks each time is a typed error', async () => {
  const { workspace, redpen } = await newDocument();
  const door = await doorTo(await serviceUrl(), (upload) => void upload.socket.destroy());
  expectLog(/Failed to load resource/);
  const page = await startUpload(door, workspace);
  const { sent, outcome } = await outcomeOf(page);
  expect(outcome).toEqual({
    name: 'RedpenError',
    status: 'UNAVAILABLE',
    message: 'Unreachable: The upload was broken off.',
  });
  expect(sent).not.toContain(SIZE);
  expect(door.uploads.length).toBeGreaterThan(1);
  expect((await redpen.attachments.all(place, { max: 9 })).map(({ status }) => status)).toEqual([
    'announced',
  ]);
});
