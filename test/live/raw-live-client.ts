import { createDecoder, hasContent, readVarString, readVarUint, readVarUint8Array } from 'lib0/decoding';
import { createEncoder, toUint8Array, writeVarString, writeVarUint, writeVarUint8Array } from 'lib0/encoding';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { kinds, syncKinds } from '../../src/realtime/connection/hocuspocus-message.ts';
import { nameOfEditor } from './live-node.ts';

export interface ReceivedMessage {
  kind: number;
  /** Step of a sync message. */
  step?: number;
  bytes?: Uint8Array;
  /** True if a change was saved. */
  saved?: boolean;
  /** Answer to a token: 1 refused, 2 accepted. */
  answer?: number;
  text?: string;
}

/** A client that sends arbitrary bytes, also outside the protocol. */
export interface RawClient {
  ws: WebSocket;
  received: ReceivedMessage[];
  /** The code that the connection was closed with. */
  closed: Promise<number>;
  authenticate(token: string): Promise<void>;
  send(kind: number, write?: (encoder: ReturnType<typeof createEncoder>) => void): void;
  sync(step: number, bytes: Uint8Array): void;
  update(bytes: Uint8Array): void;
  /** Resolves with the first received message that fits, and waits for it if necessary. */
  waitFor(fits: (message: ReceivedMessage) => boolean): Promise<ReceivedMessage>;
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
    /** Address of the client, as a trusted proxy states it. */
    ip?: string;
  } = {},
): Promise<RawClient> {
  const ws = new WebSocket(url, {
    ...(origin !== undefined && { origin }),
    headers: { ...(ip !== undefined && { 'x-forwarded-for': ip }) },
    perMessageDeflate: false,
  });
  const received: ReceivedMessage[] = [];
  const waiting = new Set<() => void>();
  ws.on('message', (data) => {
    received.push(read(new Uint8Array(data as Buffer)));
    for (const wake of waiting) wake();
  });
  const closed = new Promise<number>((done) => ws.once('close', done));
  await new Promise((done, fail) => ws.once('open', done).once('error', fail));
  onTestFinished(() => ws.terminate());
  const client: RawClient = {
    ws,
    received,
    closed,
    async authenticate(userToken) {
      client.send(kinds.auth, (encoder) => {
        writeVarUint(encoder, 0);
        writeVarString(encoder, userToken);
      });
      await client.waitFor(({ kind, answer }) => kind === kinds.auth && answer === 2);
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
    async waitFor(fits) {
      for (;;) {
        const found = received.find(fits);
        if (found) return found;
        await new Promise<void>((done) => {
          const wake = () => {
            waiting.delete(wake);
            done();
          };
          waiting.add(wake);
        });
      }
    },
  };
  if (token !== undefined) await client.authenticate(token);
  return client;
}

function read(data: Uint8Array): ReceivedMessage {
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
