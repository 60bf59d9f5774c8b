import { createDecoder, hasContent, readVarString, readVarUint, readVarUint8Array } from 'lib0/decoding';
import { createEncoder, toUint8Array, writeVarString, writeVarUint, writeVarUint8Array } from 'lib0/encoding';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { kinds, syncKinds } from '../src/realtime/connection/hocuspocus-message.ts';
import { nameOfEditor } from './live-node.ts';

export interface Heard {
  kind: number;
  /** Of a sync message. */
  step?: number;
  bytes?: Uint8Array;
  /** Whether a change was saved. */
  saved?: boolean;
  /** What an answer to a token says: 1 refused, 2 let in. */
  answer?: number;
  text?: string;
}

/** A client that sends whatever it is told to, byte by byte. */
export interface RawClient {
  ws: WebSocket;
  heard: Heard[];
  /** The code that the connection was closed with. */
  closed: Promise<number>;
  authenticate(token: string): Promise<void>;
  send(kind: number, write?: (encoder: ReturnType<typeof createEncoder>) => void): void;
  sync(step: number, bytes: Uint8Array): void;
  update(bytes: Uint8Array): void;
  /** Resolves once something that fits was heard. */
  hears(fits: (one: Heard) => boolean): Promise<Heard>;
}

export async function openRaw(
  url: string,
  {
    name = nameOfEditor,
    token,
    origin,
    ip,
  }: {
    name?: string;
    token?: string;
    origin?: string;
    /** Where a trusted proxy says that the client is. */
    ip?: string;
  } = {},
): Promise<RawClient> {
  const ws = new WebSocket(url, {
    ...(origin !== undefined && { origin }),
    headers: { ...(ip !== undefined && { 'x-forwarded-for': ip }) },
    perMessageDeflate: false,
  });
  const heard: Heard[] = [];
  const waiting = new Set<() => void>();
  ws.on('message', (data) => {
    heard.push(read(new Uint8Array(data as Buffer)));
    for (const look of waiting) look();
  });
  const closed = new Promise<number>((done) => ws.once('close', done));
  await new Promise((done, fail) => ws.once('open', done).once('error', fail));
  onTestFinished(() => ws.terminate());
  const client: RawClient = {
    ws,
    heard,
    closed,
    async authenticate(given) {
      client.send(kinds.auth, (encoder) => {
        writeVarUint(encoder, 0);
        writeVarString(encoder, given);
      });
      await client.hears(({ kind, answer }) => kind === kinds.auth && answer === 2);
    },
    send(kind, write = () => {}) {
      const encoder = createEncoder();
      writeVarString(encoder, name);
      writeVarUint(encoder, kind);
      write(encoder);
      ws.send(toUint8Array(encoder));
    },
    sync(step, bytes) {
      client.send(kinds.sync, (encoder) => {
        writeVarUint(encoder, step);
        writeVarUint8Array(encoder, bytes);
      });
    },
    update: (bytes) => client.sync(syncKinds.update, bytes),
    async hears(fits) {
      for (;;) {
        const found = heard.find(fits);
        if (found) return found;
        await new Promise<void>((done) => {
          const look = () => {
            waiting.delete(look);
            done();
          };
          waiting.add(look);
        });
      }
    },
  };
  if (token !== undefined) await client.authenticate(token);
  return client;
}

function read(data: Uint8Array): Heard {
  const decoder = createDecoder(data);
  readVarString(decoder);
  const kind = readVarUint(decoder);
  if (kind === kinds.sync || kind === kinds.syncReply) {
    return { kind, step: readVarUint(decoder), bytes: readVarUint8Array(decoder) };
  }
  if (kind === kinds.syncStatus) return { kind, saved: readVarUint(decoder) === 1 };
  if (kind === kinds.auth) {
    const answer = readVarUint(decoder);
    return { kind, answer, ...(hasContent(decoder) && { text: readVarString(decoder) }) };
  }
  if (kind === kinds.awareness) return { kind, bytes: readVarUint8Array(decoder) };
  return { kind };
}
