import type { FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import type { Deps } from '../../deps.ts';
import { createServer } from '../server/server.ts';
import { createOwnAddress } from './own-address.ts';

const linesOf = () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(JSON.parse(line)) });
  return { lines, log };
};

/** The base of a link that is requested at this host, and the warnings that are logged. */
async function requestLink(options: Partial<Deps['settings']>, headers: Record<string, string>) {
  const { app: _, deps, authenticator } = await testApp();
  const { default: upload } = await import('../../api/memory/knowledge/upload-url.ts');
  const { lines, log } = linesOf();
  const app = await createServer({
    deps: { ...deps, log, settings: { ...deps.settings, ...options } },
    endpoints: [upload],
    files: [],
    probes: { readiness: async () => ({ faults: [], warnings: [] }) },
    authenticator,
  });
  try {
    const own = await app.listen({ host: '127.0.0.1', port: 0 });
    const workspace = await newWorkspace();
    const { request } = await import('node:http');
    const body = await new Promise<string>((resolve, reject) => {
      const sent = request(
        `${own}/v2/memory/knowledge/upload-url`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...workspace.keyHeaders, ...headers },
        },
        (response) => {
          let text = '';
          response.on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () => resolve(text));
        },
      );
      sent.on('error', reject);
      sent.end(JSON.stringify({ data: { mimeType: 'text/plain', fileSize: 1 } }));
    });
    const { uploadUrl } = JSON.parse(body).result as { uploadUrl: string };
    return { base: uploadUrl.slice(0, uploadUrl.indexOf('/v2/')), own, warnings: lines };
  } finally {
    await app.close();
  }
}

test('a link has the address of the settings', async () => {
  const options = { publicUrl: 'https://redpen.example/api/' };
  const { base, warnings } = await requestLink(options, { host: 'evil.example' });
  expect(base).toBe('https://redpen.example/api');
  expect(warnings).toEqual([]);
});

test('a host that a client may have chosen is not trusted', async () => {
  const sent: Record<string, string>[] = [
    { host: 'evil.example' },
    { host: '10.1.2.3:8080' },
    { host: 'x', 'x-forwarded-host': 'localhost', 'x-forwarded-proto': 'https' },
    { host: 'localhost.evil.example' },
    { host: 'localhost@evil.example' },
  ];
  for (const headers of sent) {
    const { base, own, warnings } = await requestLink({ trustProxy: [] }, headers);
    expect(base).toBe(own);
    expect(warnings.map(({ msg }) => msg)).toEqual([
      'links use the local address, because the host of requests is not trusted; set REDPEN_PUBLIC_URL or REDPEN_TRUST_PROXY',
    ]);
  }
});

test('loopback is trusted under all its names, with any port', async () => {
  for (const host of ['localhost:9000', '127.0.0.1:80', '[::1]:1', 'redpen.localhost']) {
    const { base, warnings } = await requestLink({ trustProxy: [] }, { host });
    expect(base).toBe(`http://${host}`);
    expect(warnings).toEqual([]);
  }
});

test('the host of a trusted proxy is used', async () => {
  const headers = { host: 'upstream', 'x-forwarded-host': 'redpen.example', 'x-forwarded-proto': 'https' };
  for (const trustProxy of [['127.0.0.1'], ['::1', '127.0.0.0/8']]) {
    expect((await requestLink({ trustProxy }, headers)).base).toBe('https://redpen.example');
    expect((await requestLink({ trustProxy }, { host: 'redpen.example' })).base).toBe(
      'http://redpen.example',
    );
  }
  const { base, own } = await requestLink({ trustProxy: ['10.0.0.0/8'] }, headers);
  expect(base).toBe(own);
});

test.each([
  ['192.168.1.5', '192.168.1.5:8080', 'http://192.168.1.5:8080'],
  ['::ffff:192.168.1.5', '192.168.1.5', 'http://192.168.1.5'],
  ['fd00:0::5', '[fd00::5]:1', 'http://[fd00::5]:1'],
  ['fd00:0::5', 'evil.example', 'http://[fd00::5]:8080'],
  ['::ffff:192.168.1.5', 'evil.example', 'http://192.168.1.5:8080'],
])(
  'a request at the address %s for the host %s gets the address %s',
  async (localAddress, host, expected) => {
    const { deps } = await testApp();
    const ownAddress = createOwnAddress({
      settings: { ...deps.settings, trustProxy: [] },
      log: linesOf().log,
    });
    const socket = { localAddress, localPort: 8080, remoteAddress: '192.168.1.9' };
    expect(ownAddress({ socket, host, protocol: 'http' } as FastifyRequest)).toBe(expected);
  },
);
