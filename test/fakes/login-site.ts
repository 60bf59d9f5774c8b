import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Secrets of the site, under a prefix by which tests search for them. */
export const SECRETS = {
  password: 'sesame-password-8841',
  basic: 'sesame-basic-3107',
  header: 'sesame-header-5529',
};

/** A request as the third party receives it. */
export interface SeenRequest {
  path: string;
  headers: IncomingMessage['headers'];
}

export interface LoginSite {
  url: string;
  /** Method and path of each request. */
  requests: string[];
  /** Requests that reached the third party, which is another host. */
  third: { url: string; requests: SeenRequest[] };
  /** Values of the session cookie that were given out. */
  sessions: string[];
  /** Signed-in requests of this path end the session instead of being answered. */
  endsAt: Map<string, number>;
  /** True if pages also repeat the password. */
  echoesPassword: boolean;
  close(): Promise<void>;
}

/**
 * A site with pages behind a login form, behind basic authentication (`/basic`) and behind a header (`/staging`). Its
 * pages embed and link a third party, and links that sign out and delete. They also repeat what they were sent.
 */
export async function loginSite(): Promise<LoginSite> {
  const third: SeenRequest[] = [];
  const thirdServer = createServer((request, response) => {
    third.push({ path: request.url ?? '', headers: request.headers });
    response.writeHead(200, { 'content-type': 'text/html', 'access-control-allow-origin': '*' });
    response.end('<h1>Third</h1>');
  });
  const thirdUrl = `http://localhost:${await listen(thirdServer)}`;
  const live = new Set<string>();
  const tokens = new Set<string>();
  const site: Omit<LoginSite, 'url' | 'close'> = {
    requests: [],
    third: { url: thirdUrl, requests: third },
    sessions: [],
    endsAt: new Map(),
    echoesPassword: false,
  };

  const server = createServer(async (request, response) => {
    const path = (request.url ?? '/').split('?')[0]!;
    site.requests.push(`${request.method} ${request.url}`);
    if (path === '/login' && request.method === 'POST') return await signIn(request, response);
    if (path === '/login') return loginForm(response);
    if (path === '/out') return redirect(response, `${thirdUrl}/redirected`);
    if (path === '/favicon.ico') return page(response, '');
    if (path.startsWith('/basic')) {
      const expected = `Basic ${Buffer.from(`staging:${SECRETS.basic}`).toString('base64')}`;
      if (request.headers.authorization !== expected) return page(response, 'No', 401);
      return page(response, content(path, request, site));
    }
    if (path.startsWith('/staging')) {
      if (request.headers['x-staging'] !== SECRETS.header) return page(response, 'No', 401);
      return page(response, content(path, request, site));
    }
    const session = /session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
    if (path === '/logout') live.delete(session);
    const left = site.endsAt.get(path) ?? 0;
    if (live.has(session) && left > 0 && request.method === 'GET') {
      site.endsAt.set(path, left - 1);
      live.clear();
    }
    if (!live.has(session)) return redirect(response, `/login?next=${path}`);
    return page(response, content(path, request, site));
  });

  function loginForm(response: ServerResponse, problem = '') {
    const token = randomBytes(8).toString('hex');
    tokens.add(token);
    page(
      response,
      `<title>Sign in</title><h1>Sign in</h1><p>${problem}</p><p>Lorem ipsum dolor sit amet</p>
      <form method="post" action="/login"><input type="hidden" name="token" value="${token}">
      <input name="user" id="user"><input type="password" name="password" id="password"><button>Go</button></form>`,
    );
  }

  async function signIn(request: IncomingMessage, response: ServerResponse) {
    let body = '';
    for await (const chunk of request) body += chunk;
    const form = new URLSearchParams(body);
    const isRight =
      tokens.delete(form.get('token') ?? '') &&
      form.get('user') === 'editor' &&
      form.get('password') === SECRETS.password;
    if (!isRight) return loginForm(response, 'Wrong name or password');
    const session = `sesame-session-${randomBytes(9).toString('hex')}`;
    live.add(session);
    site.sessions.push(session);
    redirect(response, '/account', { 'set-cookie': `session=${session}; HttpOnly; Path=/` });
  }

  const url = `http://127.0.0.1:${await listen(server)}`;
  const close = async (one: Server) => {
    one.closeAllConnections();
    await new Promise((done) => one.close(done));
  };
  return Object.assign(site, {
    url,
    close: async () => void (await Promise.all([close(server), close(thirdServer)])),
  });
}

/** A page that repeats the secrets that came with the request, beside words that a rule reports. */
function content(
  path: string,
  { headers }: IncomingMessage,
  { third, echoesPassword }: Pick<LoginSite, 'third' | 'echoesPassword'>,
): string {
  const { cookie = '', authorization = '' } = headers;
  const links = [
    '/account',
    '/account/a',
    '/account/b',
    '/account/c',
    '/logout',
    '/account/5/delete',
    '/out',
  ];
  return `<!doctype html><html lang="en"><head><title>${path}</title>
    <link rel="stylesheet" href="${third.url}/style.css"><script src="${third.url}/script.js"></script></head>
    <body><h1>Signed in ${path}</h1><p>Lorem ipsum dolor sit amet, consectetur adipiscing elit.</p>
    <p>password: ${echoesPassword ? SECRETS.password : ''}</p>
    <p>lorem ipsum ${cookie} ${authorization} ${headers['x-staging'] ?? ''}</p>
    ${links.map((link) => `<a href="${link}">to ${link}</a>`).join('\n')}
    <a href="${third.url}/link">third</a><img src="${third.url}/pixel.png" alt="">
    <img src="${path}/own.png" alt=""><iframe src="${third.url}/frame"></iframe>
    <script>fetch('${third.url}/fetched').catch(() => {})</script></body></html>`;
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function page(response: ServerResponse, body: string, status = 200) {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
  response.end(body);
}

function redirect(response: ServerResponse, location: string, headers: Record<string, string> = {}) {
  response.writeHead(302, { location, ...headers }).end();
}
