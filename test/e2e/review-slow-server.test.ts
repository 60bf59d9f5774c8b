import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startSite } from '../../examples/site-server.ts';
import type { Report } from '../../src/report/report.ts';
import { until } from '../run/until.ts';
import { ownTenant, type Tenant } from '../service/own-tenant.ts';
import { newPlace, type Place, startRedpen } from '../service/redpen-command.ts';
import { sharedService } from '../service/worker-service.ts';

let site: Awaited<ReturnType<typeof startSite>>;
let place: Place;
let tenant: Tenant;
/** Stands between the command and the service. */
let proxy: { url: string; close(): void };
/** Decides on the answer to a path. By default the one of the service is sent. */
let disturb: (path: string, answer: Buffer, response: ServerResponse) => boolean;

beforeAll(async () => {
  site = await startSite();
  place = newPlace();
  const service = await sharedService();
  tenant = await ownTenant(() => service);
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await request.toArray());
    const answer = await fetch(service.url + request.url, {
      method: request.method!,
      headers: { ...tenant.headers, 'content-type': 'application/json' },
      ...(request.method === 'POST' && { body }),
    });
    const content = Buffer.from(await answer.arrayBuffer());
    if (disturb(request.url!, content, response)) return;
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(content);
  };
  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
});
beforeEach(() => {
  disturb = () => false;
});
afterAll(async () => {
  proxy.close();
  await site.close();
  place.remove();
});

const start = (...words: string[]) => startAt('/', ...words);
const startAt = (path: string, ...words: string[]) =>
  startRedpen(
    place,
    ['review', site.url + path, '--agents', 'accessibility-checker', '--server', proxy.url, ...words],
    tenant.variables,
  );

test('a server that does not confirm the end of a review gives a report after Ctrl-C', async () => {
  disturb = (path) => path === '/v2/reviews/cancel';
  const running = start('--max-pages', '50', '--format', 'json');
  await running.says('Accessibility checker:');
  running.child.kill('SIGINT');
  const { code, stdout, stderr } = await running.ended;
  expect({ code, stderr }).toMatchObject({ code: 130 });
  expect((JSON.parse(stdout) as Report).pages).toContainEqual(
    expect.objectContaining({ status: 'reviewed' }),
  );
});

test('a review that is being started at Ctrl-C is cancelled on the server', async () => {
  let reviewId = '';
  let send: (() => void) | undefined;
  let isCancelled = false;
  disturb = (path, answer, response) => {
    isCancelled ||= path === '/v2/reviews/cancel';
    if (path !== '/v2/reviews/run') return false;
    reviewId = JSON.parse(answer.toString()).result.data.reviewId;
    send = () => response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    return true;
  };
  const running = start('--max-pages', '50');
  await until(() => send !== undefined, 'the start of the review');
  running.child.kill('SIGINT');
  await running.says('Ending the review.');
  send!();
  const { code, stderr } = await running.ended;
  expect({ code, stderr }).toEqual({
    code: 130,
    stderr: expect.stringMatching(/^Ending the review\. A second Ctrl-C does not wait for its report\.$/m),
  });
  expect(isCancelled).toBe(true);
  expect(await tenant.must('/v2/reviews/get', { reviewId })).toMatchObject({ review: { status: 'ended' } });
});

test('a second Ctrl-C does not wait for a server that is silent', async () => {
  let isAsked = false;
  disturb = (path) => {
    if (!path.includes('/report')) return false;
    isAsked = true;
    return true;
  };
  const running = start('--quiet');
  await until(() => isAsked, 'the request for the report');
  // One that follows at once counts as the first, since npm passes on what the terminal has sent already.
  await until(() => {
    running.child.kill('SIGINT');
    return running.child.exitCode !== null || running.child.signalCode !== null;
  }, 'the end of the command');
  expect([130, 'SIGINT']).toContain((await running.ended).code);
});

test('a picture that breaks off is left out of the report', async () => {
  let broken = 0;
  disturb = (path, answer, response) => {
    if (!path.startsWith('/v2/blobs/')) return false;
    broken += 1;
    response.writeHead(200, { 'content-length': answer.byteLength });
    response.write(answer.subarray(0, 100), () => response.destroy());
    return true;
  };
  const output = join(place.folder, 'without-picture');
  const { code, stderr } = await startAt('/boats/osprey.html', '--output', output, '--quiet').ended;
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  expect(broken).toBeGreaterThan(0);
  expect(existsSync(join(output, 'report.html'))).toBe(true);
  expect(JSON.parse(readFileSync(join(output, 'report.json'), 'utf8'))).toMatchObject({
    pages: [{ status: 'reviewed' }],
  });
});
