import type { IncomingMessage, ServerResponse } from 'node:http';

type Route = (request: IncomingMessage, response: ServerResponse, argument: string, visit: number) => void;

const page = (response: ServerResponse, body: string, headers: Record<string, string> = {}, status = 200) => {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...headers });
  response.end(`<!doctype html><title>t</title><body>${body}`);
};

const TARGETS =
  '<h1 id="here">x</h1><p id="Case"></p><a name="named"></a><p id="caf\u00e9"></p><p id="a b"></p><p id="p%25"></p><p id="x%41"></p>' +
  '<template><p id="in-template"></p></template><!-- <p id="in-comment"></p> --><map name="mapped"></map>' +
  '<svg><g id="in-svg"></g></svg><p ID=upper-attribute></p><p id="&quot;q&quot;"></p><p id="user-content-md"></p>';

const redirect = (
  response: ServerResponse,
  status: number,
  location: string,
  more: Record<string, string> = {},
) => {
  response.writeHead(status, { location, ...more });
  response.end();
};

/** Handlers by the first segment of `/<name>/<argument>`; `visit` numbers the requests for one address from 1. */
export const routes: Record<string, Route> = {
  ok: (_request, response) => page(response, 'fine'),
  slow: (_request, response) => setTimeout(() => page(response, 'late'), 400),
  targets: (_request, response) => page(response, TARGETS),
  scripted: (_request, response) =>
    page(response, '<script>document.body.innerHTML = "<p id=drawn>"</script>'),
  image: (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('png'),
  pdf: (_request, response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF'),
  untyped: (_request, response) => response.writeHead(200).end(`<!doctype html>${TARGETS}`),
  plain: (_request, response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('<p id=x>'),
  css: (_request, response, argument) => {
    response.writeHead(200, { 'content-type': 'text/css' });
    response.end(sheets[argument] ?? '');
  },
  // /s/503 answers with status 503, for any status.
  s: (_request, response, argument) => page(response, argument, {}, Number.parseInt(argument, 10) || 404),
  r: (_request, response, argument) => {
    const [status, ...location] = argument.split('/');
    redirect(response, Number(status), decodeURIComponent(location.join('/')));
  },
  bare: (_request, response, argument) => response.writeHead(Number(argument)).end(),
  chain: (_request, response, argument) =>
    argument === '0' ? page(response, TARGETS) : redirect(response, 302, `/chain/${Number(argument) - 1}`),
  loop: (_request, response, argument) => redirect(response, 301, argument === 'a' ? '/loop/b' : '/loop/a'),
  self: (request, response) => redirect(response, 302, request.url!),
  cookies: (request, response) =>
    request.headers.cookie?.includes('seen=1')
      ? page(response, 'in')
      : redirect(response, 302, request.url!, { 'set-cookie': 'seen=1; path=/' }),
  flaky: (_request, response, argument, visit) => {
    if (visit > 1) return page(response, 'recovered');
    if (argument === 'reset') return response.socket?.destroy();
    page(response, 'not now', argument === '500' ? {} : { 'retry-after': '1' }, Number(argument));
  },
  head: (request, response, argument) => {
    if (argument === 'lies') return page(response, '', {}, request.method === 'HEAD' ? 200 : 404);
    if (request.method !== 'HEAD') return page(response, 'fine');
    if (argument === 'hang') return;
    if (argument === 'reset') return response.socket?.destroy();
    page(response, '', {}, Number(argument));
  },
  hang: () => {},
  reset: (_request, response) => response.socket?.destroy(),
  drip: (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    const timer = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(timer));
  },
  endless: (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    const timer = setInterval(() => response.write(Buffer.alloc(65_536)), 5);
    response.on('close', () => clearInterval(timer));
  },
  garbage: (_request, response) => response.socket?.end('this is no HTTP\r\n\r\n'),
  soft: (_request, response) => page(response, '<h1>404 Page not found</h1>'),
  botwall: (_request, response) => page(response, '', { 'cf-mitigated': 'challenge' }, 403),
  login: (_request, response) => page(response, '<form method=post><input type=password></form>'),
  member: (_request, response) => redirect(response, 302, '/login/?next=/member'),
  basic: (request, response) =>
    page(response, '', { 'www-authenticate': 'Basic' }, request.headers.authorization ? 200 : 401),
  echo: (request, response, argument) =>
    page(response, '', {}, request.url === `/echo/${argument}` && argument === 'a%20b%C3%A9' ? 200 : 404),
  query: (request, response) => page(response, '', {}, request.url === '/query/?a=1&b=2' ? 200 : 404),
  latin: (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=iso-8859-1' });
    response.end(Buffer.from('<!doctype html><p id="caf\u00e9">', 'latin1'));
  },
  'only-post': (request, response) => page(response, '', {}, request.method === 'POST' ? 200 : 405),
};

const sheets: Record<string, string> = {
  'bad.css':
    '@charset "utf-8"; @namespace url(/s/404.namespace); @import "deep.css"; /* url(/s/404.comment) */ .a{background:url("/s/404.png")}' +
    '@font-face{src:local("x"),url(/s/404.woff2) format("woff2"),url(/image/f)} .b{filter:url(#f);content:"url(/s/404.text)"}',
  'deep.css': '@import url(bad.css); .c{background:url( /s/410.png )}',
  'good.css': '.a{background:url(../image/x.png)}',
};
