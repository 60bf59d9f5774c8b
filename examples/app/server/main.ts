// The backend of the example: it serves the page, signs two users in, and gives the page of each the token of that user.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bundlePage } from './bundle.ts';
import { place, redpenUrl, tokenOf } from './redpen.ts';
import { seed } from './seed.ts';
import { signIn, signInPaths, userOf } from './sessions.ts';

interface Answer {
  status: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

const text = (status: number, body: string): Answer => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body,
});

const SIGNED_OUT = 'You are signed out. Open one of the links that the terminal shows.';

const assets = await bundlePage();

async function answer(request: IncomingMessage): Promise<Answer> {
  const origin = originOf(request);
  // A name that another site has pointed at this address is not ours, and neither are its pages.
  if (!origin) return text(421, 'This host is unknown.');
  const url = URL.parse(request.url ?? '/', origin);
  if (!url) return text(400, 'This is no address.');
  const { pathname, searchParams } = url;
  const user = userOf(request);

  if (pathname === '/redpen-token' && request.method === 'POST') {
    // Browsers name the origin of every POST, so that the pages of others are recognized.
    if (request.headers.origin !== origin) return text(403, 'Only pages of this site get a token.');
    return user ? text(200, await tokenOf(user, origin)) : text(401, SIGNED_OUT);
  }
  if (request.method !== 'GET') return text(405, 'Use GET.');
  if (pathname === '/sign-in') {
    const cookie = signIn(searchParams.get('code') ?? '', origin.startsWith('https:'));
    return cookie ? { status: 303, headers: { location: '/', 'set-cookie': cookie } } : text(403, SIGNED_OUT);
  }
  if (pathname === '/session') {
    if (!user) return text(401, SIGNED_OUT);
    const body = JSON.stringify({ user, redpenUrl, place });
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  }
  const asset = assets.get(pathname);
  if (!asset) return text(404, 'There is no such page.');
  if (pathname === '/' && !user) return text(401, SIGNED_OUT);
  return { status: 200, headers: { 'content-type': asset.type }, body: asset.body };
}

/** What the page may do: run its own scripts, and speak to this server and to Redpen. */
const SECURITY_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' blob: ${redpenUrl}`,
    `connect-src 'self' ${redpenUrl} ${redpenUrl.replace(/^http/, 'ws')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

const server = createServer(async (request, response) => {
  const { status, headers, body } = await answer(request).catch((error: unknown) => {
    console.error(String(error));
    return text(503, 'Redpen cannot be reached at the moment.');
  });
  response.writeHead(status, { ...SECURITY_HEADERS, ...headers }).end(body);
});

/** The origin of this site under the name that the browser used; undefined for a name that is not ours. */
function originOf({ headers }: IncomingMessage): string | undefined {
  return origins.find((origin) => new URL(origin).host === headers.host);
}

const { HOST = '127.0.0.1', PORT = '0', APP_ORIGIN } = process.env;
await seed();
await new Promise<void>((done) => server.listen(Number(PORT), HOST, done));
const { port } = server.address() as AddressInfo;
// Two names for one server: a browser keeps the sessions of both apart, so that both users fit into one window.
const origins = APP_ORIGIN
  ? [new URL(APP_ORIGIN).origin]
  : [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
for (const [index, { user, path }] of signInPaths.entries()) {
  console.log(`as ${user.name.split(' ')[0]}: ${origins[index % origins.length]}${path}`);
}
