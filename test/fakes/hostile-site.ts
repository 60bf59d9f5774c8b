import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface InternalListener {
  port: number;
  /** First path segments of the requests that arrived. */
  kinds: Set<string>;
  tcpConnections(): number;
  udpPackets(): number;
  close(): Promise<void>;
}

/** A stand-in for an internal service: listens on one port for TCP and UDP, and answers every request. */
export async function startInternalListener(): Promise<InternalListener> {
  const kinds = new Set<string>();
  let tcp = 0;
  let udp = 0;
  const server = createServer((request, response) => {
    kinds.add(request.url!.split('/')[1]!);
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': typeOf(request.url!) });
    response.end('');
  });
  server.on('upgrade', (request, socket) => {
    kinds.add(request.url!.split('/')[1]!);
    socket.destroy();
  });
  const end = closer(server);
  server.on('connection', () => {
    tcp++;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = createSocket('udp4', () => {
    udp++;
  });
  socket.bind(port, '127.0.0.1');
  await once(socket, 'listening');
  return {
    port,
    kinds,
    tcpConnections: () => tcp,
    udpPackets: () => udp,
    async close() {
      socket.close();
      await end();
    },
  };
}

export interface HostileSite {
  /** URL of a page that attempts to reach the target in every way that a browser offers. */
  urlFor(target: string): string;
  /** True once the script of the page has run completely. */
  hasRun(): boolean;
  /** Number of WebRTC connections of the page that have gathered all candidates, or cannot be created. */
  gathered(): number;
  /** True once the page has made its attempts on `pagehide`. */
  hasLeft(): boolean;
  close(): Promise<void>;
}

export async function startHostileSite(): Promise<HostileSite> {
  let hasRun = false;
  let hasLeft = false;
  let gathered = 0;
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://site');
    const target = url.searchParams.get('target') ?? '';
    const send = (type: string, body: string, headers: Record<string, string> = {}) =>
      response.writeHead(200, { 'content-type': type, ...headers }).end(body);
    const to = `http://${target}`;
    switch (url.pathname) {
      case '/':
        return send('text/html', hostilePage(target), {
          link: `<${to}/link-header/x.js>; rel=preload; as=script`,
        });
      case '/redirect':
        return response.writeHead(302, { location: `${to}/${url.searchParams.get('kind')}` }).end();
      case '/meta-refresh':
        return send('text/html', `<meta http-equiv=refresh content="0;url=${to}/meta-refresh">`);
      case '/refresh-header':
        return send('text/html', 'x', { refresh: `0;url=${to}/refresh-header` });
      case '/form':
        return send(
          'text/html',
          `<form action="${to}/form" method=post></form><script>document.forms[0].submit()</script>`,
        );
      case '/unload':
        return send(
          'text/html',
          `<script>addEventListener('pagehide', () => navigator.sendBeacon('${to}/pagehide-beacon', 'x'))</script>`,
        );
      case '/csp':
        return send('text/html', '<script>x</script>', {
          'content-security-policy': `script-src 'none'; report-uri ${to}/csp-report`,
        });
      case '/xslt.xml':
        return send('text/xml', `<?xml-stylesheet type="text/xsl" href="${to}/xslt.xsl"?><a/>`);
      case '/worker.js':
        return send(
          'text/javascript',
          `const kind = new URLSearchParams(location.search).get('kind');
           fetch('${to}/' + kind + '-fetch', { mode: 'no-cors' }).catch(() => {});
           try { new WebTransport('https://${target}/' + kind + '-webtransport').ready.catch(() => {}); } catch {}
           try { new WebSocket('ws://${target}/' + kind + '-websocket'); } catch {}
           try { importScripts('${to}/' + kind + '-import'); } catch {}`,
        );
      case '/service-worker.js':
        return send(
          'text/javascript',
          `addEventListener('install', (event) => event.waitUntil(
             fetch('${to}/service-worker-fetch', { mode: 'no-cors' }).catch(() => {})));`,
        );
      case '/ran':
        hasRun = true;
        return send('text/plain', 'ok');
      case '/gathered':
        gathered++;
        return send('text/plain', 'ok');
      case '/left':
        hasLeft = true;
        return send('text/plain', 'ok');
      default:
        return send('text/html', 'nothing');
    }
  });
  const end = closer(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urlFor: (target) => `http://127.0.0.1:${port}/?target=${encodeURIComponent(target)}`,
    hasRun: () => hasRun,
    gathered: () => gathered,
    hasLeft: () => hasLeft,
    close: end,
  };
}

function closer(server: Server) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  return async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
}

function typeOf(path: string) {
  if (/css|style/.test(path)) return 'text/css';
  if (/script|import|module|worklet|\.js/.test(path)) return 'text/javascript';
  if (/event-source/.test(path)) return 'text/event-stream';
  return 'text/html';
}

/** Each attempt has its own path, so that the listener can tell which of them got through. */
function hostilePage(target: string): string {
  const to = `http://${target}`;
  const here = `?target=${encodeURIComponent(target)}`;
  const frames = ['meta-refresh', 'refresh-header', 'form', 'csp', 'xslt.xml', 'redirect'];
  const attempts = `
    fetch(T + '/fetch', { mode: 'no-cors' });
    fetch(T + '/fetch-cors');
    fetch(T + '/fetch-preflight', { headers: { 'x-a': '1' } });
    fetch(T + '/fetch-keepalive', { mode: 'no-cors', keepalive: true });
    fetch('/redirect' + HERE + '&kind=fetch-redirect', { mode: 'no-cors' });
    const x = new XMLHttpRequest(); x.open('GET', T + '/xhr'); x.send();
    navigator.sendBeacon(T + '/beacon', 'x');
    new EventSource(T + '/event-source');
    new WebSocket(W + '/websocket');
    new Image().src = T + '/image-object';
    new Audio(T + '/audio-object').load();
    import(T + '/import-dynamic');
    new Worker('/worker.js' + HERE + '&kind=worker');
    new Worker('/worker.js' + HERE + '&kind=module-worker', { type: 'module' });
    new SharedWorker('/worker.js' + HERE + '&kind=shared-worker');
    navigator.serviceWorker.register('/service-worker.js' + HERE);
    CSS.paintWorklet.addModule(T + '/paint-worklet');
    new AudioContext().audioWorklet.addModule(T + '/audio-worklet');
    new FontFace('f', 'url(' + T + '/font-face)').load();
    window.open(T + '/window-open');
    document.getElementById('ping').click();
    for (const frame of document.querySelectorAll('iframe.leaving')) setTimeout(() => frame.remove(), 500);
    frames['by-script'].location = T + '/frame-location';
    window.nested = document.body.appendChild(document.createElement('iframe'));
    nested.contentWindow.fetch(T + '/fetch-of-blank-frame', { mode: 'no-cors' });
    new nested.contentWindow.WebTransport('https://' + A + '/webtransport-of-frame').ready.catch(() => {});
    rtc(nested.contentWindow.RTCPeerConnection);
    rtc(window.RTCPeerConnection);
    new WebTransport('https://' + A + '/webtransport').ready.catch(() => {});
    navigator.serviceWorker.ready.then((r) => r.backgroundFetch.fetch('b', [T + '/background-fetch']));
    fetchLater(T + '/fetch-later', { activateAfter: 0 });
    document.body.insertAdjacentHTML('beforeend', '<script-less><img src="' + T + '/image-late"></script-less>');
  `
    .trim()
    .split('\n')
    .map((line) => `attempt(() => { ${line.trim()} });`)
    .join('\n');

  return `<!doctype html><title>Hostile</title>
<link rel=icon href="${to}/favicon"><link rel=manifest href="${to}/manifest">
<link rel=stylesheet href="${to}/stylesheet">
<style>@import "${to}/css-import";
  @font-face { font-family: f; src: url(${to}/css-font) }
  body { background: url(${to}/css-background); font-family: f; cursor: url(${to}/css-cursor), auto }
  div { mask: url(${to}/css-mask); border-image: url(${to}/css-border) 1 }</style>
<link rel=prefetch href="${to}/prefetch"><link rel=preload as=image href="${to}/preload">
<link rel=modulepreload href="${to}/modulepreload"><link rel=preconnect href="${to}">
<link rel=dns-prefetch href="${to}"><link rel=prerender href="${to}/prerender-link">
<script type=speculationrules>${JSON.stringify({
    prefetch: [{ source: 'list', urls: [`${to}/speculation-prefetch`], eagerness: 'immediate' }],
    prerender: [{ source: 'list', urls: [`${to}/speculation-prerender`], eagerness: 'immediate' }],
  })}</script>
<body>text in the font<div>mask</div>
<img src="${to}/img"><img srcset="${to}/srcset 1x"><picture><source srcset="${to}/picture"><img></picture>
<img src="/redirect${here}&kind=img-redirect">
<script src="${to}/script"></script><iframe src="${to}/iframe"></iframe>
<object data="${to}/object"></object><embed src="${to}/embed">
<video src="${to}/video" poster="${to}/poster" preload=auto></video>
<audio src="${to}/audio" preload=auto></audio>
<video src="/v" crossorigin><track src="${to}/track" default kind=captions></video>
<input type=image src="${to}/input-image"><table background="${to}/table-background"><tr><td>x</table>
<svg width=9 height=9><image href="${to}/svg-image" width=9 height=9 /><use href="${to}/svg-use#a" /></svg>
<a id=ping href="#" ping="${to}/ping">ping</a>
<iframe srcdoc='<img src="${to}/srcdoc-image">'></iframe><iframe name=by-script></iframe>
<iframe class=leaving src="/unload${here}"></iframe>
${frames.map((name) => `<iframe src="/${name}${here}&kind=frame-redirect"></iframe>`).join('\n')}
<script>
const A = ${JSON.stringify(target)}, T = 'http://' + A, W = 'ws://' + A, HERE = ${JSON.stringify(here)};
function attempt(one) { try { one(); } catch {} }
function rtc(Connection) {
  if (!Connection) return fetch('/gathered');
  const port = A.split(':').at(-1);
  const iceServers = ['stun:127.0.0.1:' + port, 'turn:127.0.0.1:' + port + '?transport=udp', 'turn:127.0.0.1:' + port + '?transport=tcp']
    .map((urls) => ({ urls, username: 'u', credential: 'c' }));
  const connection = new Connection({ iceServers });
  connection.onicegatheringstatechange = () => connection.iceGatheringState === 'complete' && fetch('/gathered');
  connection.createDataChannel('d');
  connection.createOffer().then((offer) => connection.setLocalDescription(offer));
}
addEventListener('unhandledrejection', (event) => event.preventDefault());
${attempts}
addEventListener('pagehide', () => navigator.sendBeacon('/left', 'x'));
fetch('/ran');
</script>`;
}
