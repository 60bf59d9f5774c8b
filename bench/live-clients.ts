import type { Socket } from 'node:net';
import { createEncoder, toUint8Array, writeVarString, writeVarUint, writeVarUint8Array } from 'lib0/encoding';
import { WebSocket } from 'ws';
import { Doc, encodeStateVector } from 'yjs';

/** Protocol of the server; `none` is a relay that forwards any message. */
export type Dialect = 'hocuspocus' | 'y-websocket' | 'none';

interface LoadOptions {
  url: string;
  dialect: Dialect;
  name: string;
  token: string;
  clients: number;
  /** Rate of all clients together. */
  updatesPerSecond: number;
}

export interface Load {
  /**
   * Writes at the given rate for `ms`. `latencies` has the milliseconds from each update to each listening client, in
   * ascending order, and `expected` is their number if all updates arrive.
   */
  run(ms: number): Promise<{ latencies: Float64Array; sent: number; expected: number }>;
  close(): void;
}

interface Writer {
  ws: WebSocket;
  document: Doc;
}

const DELIMITER = 0x7e;
const DIGITS = 12;
/** One client in so many listens to the updates; the others receive and discard them. */
const LISTENER_EVERY = 5;

const encoded = (write: (encoder: ReturnType<typeof createEncoder>) => void): Uint8Array => {
  const encoder = createEncoder();
  write(encoder);
  return toUint8Array(encoder);
};

/** Opens clients that need little processor time: of the content, they read only the send times in it. */
export async function openLoad(options: LoadOptions): Promise<Load> {
  const { url, dialect, name, token, clients, updatesPerSecond } = options;
  const latencies: number[] = [];
  let isMeasuring = false;
  const recordLatencies = (data: Buffer) => {
    if (!isMeasuring) return;
    const now = performance.now();
    for (let at = data.indexOf(DELIMITER); at >= 0; at = data.indexOf(DELIMITER, at + 1)) {
      if (data[at + DIGITS + 1] !== DELIMITER) continue;
      const sentAt = Number(data.toString('latin1', at + 1, at + 1 + DIGITS));
      if (!Number.isNaN(sentAt)) latencies.push(now - sentAt);
      at += DIGITS + 1;
    }
  };
  const sync = (kind: number, content: Uint8Array) =>
    encoded((encoder) => {
      if (dialect === 'hocuspocus') writeVarString(encoder, name);
      writeVarUint(encoder, 0);
      writeVarUint(encoder, kind);
      writeVarUint8Array(encoder, content);
    });
  const authentication = encoded((encoder) => {
    writeVarString(encoder, name);
    writeVarUint(encoder, 2);
    writeVarUint(encoder, 0);
    writeVarString(encoder, token);
  });

  const writers: Writer[] = [];
  for (let index = 0; index < clients; index++) {
    const ws = new WebSocket(dialect === 'y-websocket' ? `${url}/${name}` : url, {
      perMessageDeflate: false,
    });
    const document = new Doc();
    document.on('update', (update: Uint8Array) => ws.send(sync(2, update)));
    await new Promise<void>((done, fail) => {
      ws.once('open', () =>
        ws.send(dialect === 'hocuspocus' ? authentication : sync(0, encodeStateVector(document))),
      );
      ws.once('error', fail);
      ws.once('close', (code) => fail(new Error(`closed with ${code}`)));
      if (dialect === 'none') ws.once('open', () => done());
      else ws.once('message', () => done());
    });
    if (dialect === 'hocuspocus') ws.send(sync(0, encodeStateVector(document)));
    if (index % LISTENER_EVERY === 0) ws.on('message', (data) => recordLatencies(data as Buffer));
    else {
      // Reading every message would cost this process more than sending it costs the server.
      const { _socket: socket } = ws as unknown as { _socket: Socket };
      socket.removeAllListeners('data');
      socket.on('data', () => {});
    }
    ws.on('close', (code) => {
      if (code !== 1005) process.stderr.write(`a client was closed with ${code}\n`);
    });
    writers.push({ ws, document });
  }

  const write = ({ document }: Writer) => {
    const text = document.getText('content');
    text.insert(text.length, `~${performance.now().toFixed(3).padStart(DIGITS, '0')}~`);
  };
  return {
    async run(ms) {
      latencies.length = 0;
      isMeasuring = true;
      const startedAt = performance.now();
      let sent = 0;
      while (performance.now() - startedAt < ms) {
        const due = Math.floor(((performance.now() - startedAt) * updatesPerSecond) / 1_000);
        for (; sent < due; sent++) write(writers[sent % writers.length]!);
        await new Promise((done) => setTimeout(done, 1));
      }
      await new Promise((done) => setTimeout(done, 500));
      isMeasuring = false;
      return {
        latencies: Float64Array.from(latencies).sort(),
        sent,
        expected: sent * Math.ceil(clients / LISTENER_EVERY),
      };
    },
    close() {
      for (const { ws } of writers) ws.close();
    },
  };
}
