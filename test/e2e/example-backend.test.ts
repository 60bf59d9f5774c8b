import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { type ExampleStage, PLACE, startExample, startStage } from './example/stage.ts';

let stage: ExampleStage;
beforeAll(async () => {
  stage = await startStage();
});

interface Sent {
  status: number;
  body: string;
  headers: IncomingHttpHeaders;
}

/** Sends a request to the example with any headers, which `fetch` does not allow. */
const send = (path: string, method = 'GET', headers: Record<string, string> = {}): Promise<Sent> =>
  new Promise((resolve, reject) => {
    request(new URL(path, stage.example.link('Ada')), { method, headers }, async (response) => {
      const body = (await response.toArray()).join('');
      resolve({ status: response.statusCode!, body, headers: response.headers });
    })
      .on('error', reject)
      .end();
  });

async function sessionOf(name: 'Ada' | 'Linus'): Promise<string> {
  const { status, headers } = await send(stage.example.link(name));
  expect(status).toBe(303);
  const [cookie = ''] = headers['set-cookie'] ?? [];
  expect(cookie).toMatch(/^example_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/);
  return cookie.split(';')[0]!;
}

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());

test('a session gets the token of its own user, and no other', async () => {
  const { origin, searchParams } = new URL(stage.example.link('Ada'));
  const cookie = await sessionOf('Linus');
  for (const path of ['/redpen-token', '/redpen-token?user=ada', '/redpen-token?userId=ada']) {
    const { status, body } = await send(path, 'POST', { cookie, origin, 'x-user': 'ada' });
    expect([status, claimsOf(body).sub]).toEqual([200, 'linus']);
  }
  const code = searchParams.get('code')!;
  for (const forged of ['', 'ada', code, `${cookie.split('=')[1]}x`, '__proto__']) {
    const { status, body } = await send('/redpen-token', 'POST', {
      cookie: `example_session=${forged}`,
      origin,
    });
    expect([status, body]).toEqual([401, expect.stringContaining('signed out')]);
  }
  for (const path of ['/sign-in', '/sign-in?code=', '/sign-in?code=ada', `/sign-in?code=${code}x`]) {
    const { status, headers } = await send(path);
    expect([status, headers['set-cookie']]).toEqual([403, undefined]);
  }
  expect((await send('/session')).status).toBe(401);
  expect((await send('/')).status).toBe(401);
});

test('only pages of the example get a token, and only they can use it, on its document', async () => {
  const { origin, host } = new URL(stage.example.link('Ada'));
  const cookie = await sessionOf('Ada');
  const tries: [string, Record<string, string>, number][] = [
    ['POST', {}, 403],
    ['POST', { origin: 'https://evil.example' }, 403],
    ['POST', { origin: 'null' }, 403],
    ['POST', { origin: origin.replace('127.0.0.1', 'localhost') }, 403],
    ['GET', { origin }, 404],
    ['PUT', { origin }, 405],
    ['POST', { origin: 'http://evil.example', host: 'evil.example' }, 421],
    ['POST', { origin: `${origin}/`, host }, 403],
  ];
  for (const [method, headers, expected] of tries) {
    const { status, headers: sent } = await send('/redpen-token', method, { cookie, ...headers });
    expect([method, headers, status]).toEqual([method, headers, expected]);
    expect(sent['access-control-allow-origin']).toBeUndefined();
  }
  const { body: token, headers } = await send('/redpen-token', 'POST', { cookie, origin });
  expect(headers['cache-control']).toBe('no-store');
  const claims = claimsOf(token);
  expect(claims).toMatchObject({ origin, isAdmin: false });
  expect(claims.resources).toHaveLength(1);
  const post = (path: string, data: object, from: string) =>
    stage.post(path, data, { authorization: `Bearer ${token}`, origin: from }).then(({ status }) => status);
  expect(await post('/v2/commentannotations/get', PLACE, origin)).toBe(200);
  expect(await post('/v2/commentannotations/get', PLACE, 'https://evil.example')).toBe(403);
  const other = { organizationId: PLACE.organizationId, documentId: 'other' };
  await stage.tenant.must('/v2/organizations/documents/add', {
    ...other,
    documents: [{ ...other, accessType: 'restricted' }],
  });
  expect(await post('/v2/commentannotations/get', other, origin)).toBe(403);
});

test('every answer forbids foreign and inline scripts, and framing', async () => {
  for (const path of ['/', '/main.js', '/session', '/nothing']) {
    const { headers } = await send(path);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(headers['x-content-type-options']).toBe('nosniff');
  }
});

test('npm run example starts a service on a folder, keeps the folder, and ends with Ctrl-C', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'redpen-example-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const data = join(folder, 'data');
  for (let start = 0; start < 2; start++) {
    const alone = await startExample([data], {});
    const redpenUrl = /Redpen is at (\S+)\./.exec(alone.output())![1]!;
    expect((await fetch(alone.link('Ada'), { redirect: 'manual' })).status).toBe(303);
    expect((await fetch(`${redpenUrl}/ready`)).status).toBe(200);
    expect(await alone.interrupt()).toBe(0);
    await expect(fetch(`${redpenUrl}/ready`)).rejects.toThrow();
    await expect(fetch(alone.link('Ada'))).rejects.toThrow();
    expect(existsSync(data)).toBe(true);
  }
});
