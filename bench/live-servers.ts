import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Hocuspocus } from '@hocuspocus/server';
import { type WebSocket, WebSocketServer } from 'ws';
import { replacementOf, type TextKind } from './live-texts.ts';

// The reference servers of live.ts and live-rest.ts; the first argument selects one. None of them stores anything or
// authenticates clients.
const kind = process.argv[2];
const server = createServer((_request, response) => response.end('ok'));
const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
server.on('upgrade', (request, socket, head) => {
  sockets.handleUpgrade(request, socket, head, (ws) =>
    accept(ws, new Request(`http://localhost${request.url}`)),
  );
});

let accept: (ws: WebSocket, request: Request) => void;
if (kind === 'hocuspocus') {
  const engine = new Hocuspocus({ quiet: true });
  accept = (ws, request) => {
    const connection = engine.handleConnection(ws as never, request);
    ws.on('message', (data: Buffer) => connection.handleMessage(new Uint8Array(data)));
    ws.on('close', (code, reason) => connection.handleClose({ code, reason: reason.toString() }));
  };
  // The reference of live-rest.ts: replaces a text over direct connections for 5 s, and responds with the number of
  // replacements per second. The short text is written into an empty document each time; the page stays open.
  server.removeAllListeners('request');
  server.on('request', async (request, response) => {
    const text: TextKind = request.url === '/page' ? 'page' : 'short';
    const name = `acme/home/direct-${text}`;
    const kept = text === 'page' ? await engine.openDirectConnection(name) : undefined;
    const until = performance.now() + 5_000;
    let count = 0;
    for (; performance.now() < until; count++) {
      const connection = await engine.openDirectConnection(name);
      await connection.transact((document) => {
        const content = document.getText('content');
        content.delete(0, content.length);
        content.insert(0, replacementOf(text, count));
      });
      await connection.disconnect();
    }
    await kept?.disconnect();
    response.end(String(count / 5));
  });
} else if (kind === 'y-websocket') {
  const { setupWSConnection } = (await import('@y/websocket-server/utils' as string)) as {
    setupWSConnection(ws: WebSocket, request: { url: string }): void;
  };
  accept = (ws, request) => setupWSConnection(ws, { url: new URL(request.url).pathname });
} else {
  const clients = new Set<WebSocket>();
  accept = (ws) => {
    clients.add(ws);
    ws.on('close', () => clients.delete(ws));
    ws.on('message', (data) => {
      for (const other of clients) if (other !== ws) other.send(data, { binary: true });
    });
  };
}
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
