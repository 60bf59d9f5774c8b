import type { KeyObject } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { type Answer, sendAnswer } from './webhook-answers.ts';
import { openBody } from './webhook-body.ts';

/** A received request. */
export interface Reception {
  path: string;
  headers: IncomingHttpHeaders;
  /** Header `webhook-id`. */
  id: string;
  /** The body as received. */
  raw: Buffer;
  /** The message: the body decoded and decrypted, if that was possible. */
  text: string;
  /** Epoch milliseconds at which the whole body was received. */
  at: number;
  /** Description of the first fault; absent if there is none. */
  fault?: string;
}

export interface WebhookReceiver {
  port: number;
  url(path: string): string;
  /** All requests, in the order of their arrival. */
  received: Reception[];
  /** The requests to a path. */
  at(path: string): Reception[];
  /** Faults of all requests. */
  faults(): string[];
  /** Number of requests to a path without a complete answer. */
  open(path: string): number;
  /** Closes the connections of these requests. */
  hangUp(path: string): void;
  /** Requires that all further requests to a path are signed with one of these secrets. */
  expectSignature(path: string, ...secrets: string[]): void;
  /** Answers the next requests to a path with these, one after the other, and later ones with `then` (by default 200). */
  answer(path: string, answers: Answer[], then?: Answer): void;
  [Symbol.asyncDispose](): Promise<void>;
}

interface Options {
  /** 0 chooses a free port. */
  port?: number;
  /** Decrypts encrypted bodies. */
  privateKey?: KeyObject;
  /** Returns the fault of a message, or undefined. */
  validate?: (message: unknown, reception: Reception) => string | undefined;
  /** Accepts signatures of any age, for a sender whose clock the test sets. */
  anyAge?: boolean;
}

const OK: Answer = { status: 200, body: 'ok' };

/** A real HTTP server on loopback that keeps every request and verifies it as a careful receiver would. */
export async function startWebhookReceiver({
  port = 0,
  privateKey,
  validate,
  anyAge = false,
}: Options = {}): Promise<WebhookReceiver> {
  const received: Reception[] = [];
  const secrets = new Map<string, string[]>();
  const scripts = new Map<string, { answers: Answer[]; then: Answer }>();
  const open = new Map<string, Set<ServerResponse>>();

  function faultOf(reception: Reception): string | undefined {
    const { path, raw, headers } = reception;
    const unsigned = signatureFault(raw, headers, secrets.get(path), anyAge);
    if (unsigned !== undefined) return unsigned;
    try {
      reception.text = openBody(reception.text, privateKey);
      return validate?.(JSON.parse(reception.text), reception);
    } catch (error) {
      return `The body cannot be read: ${(error as Error).message}`;
    }
  }

  async function receive(request: IncomingMessage): Promise<Reception> {
    const raw = await buffer(request);
    const reception: Reception = {
      path: request.url ?? '',
      headers: request.headers,
      id: String(request.headers['webhook-id'] ?? ''),
      raw,
      text: raw.toString('utf8'),
      at: Date.now(),
    };
    const fault = faultOf(reception);
    if (fault !== undefined) reception.fault = fault;
    return reception;
  }

  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const waiting = open.get(path) ?? new Set();
    open.set(path, waiting.add(response));
    response.on('close', () => waiting.delete(response));
    try {
      received.push(await receive(request));
    } catch {
      // The sender closed the connection before the last byte, so nothing was received.
      return;
    }
    const script = scripts.get(path);
    sendAnswer(response, script?.answers.shift() ?? script?.then ?? OK);
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const bound = (server.address() as AddressInfo).port;

  return {
    port: bound,
    url: (path) => `http://127.0.0.1:${bound}${path}`,
    received,
    at: (path) => received.filter((reception) => reception.path === path),
    faults: () =>
      received.flatMap(({ fault, path, id }) => (fault === undefined ? [] : `${path} ${id}: ${fault}`)),
    open: (path) => open.get(path)?.size ?? 0,
    hangUp(path) {
      for (const response of open.get(path) ?? []) response.destroy();
    },
    expectSignature: (path, ...expected) => void secrets.set(path, expected),
    answer: (path, answers, then = OK) => void scripts.set(path, { answers: [...answers], then }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A path without expected secrets accepts unsigned requests, as basic webhooks send them. */
function signatureFault(
  raw: Buffer,
  headers: IncomingHttpHeaders,
  expected: string[] | undefined,
  anyAge: boolean,
): string | undefined {
  if (!expected) return undefined;
  const faults = expected.map((secret) => {
    try {
      if (anyAge && isSigned(new Webhook(secret), raw, headers)) return undefined;
      new Webhook(secret).verify(raw, headers as Record<string, string>, { jsonParse: false });
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  });
  return faults.includes(undefined) ? undefined : `The signature is wrong: ${faults.join(' ')}`;
}

function isSigned(webhook: Webhook, raw: Buffer, headers: IncomingHttpHeaders): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
  const signature = webhook.sign(String(headers['webhook-id']), at, raw);
  return String(headers['webhook-signature']).split(' ').includes(signature);
}
