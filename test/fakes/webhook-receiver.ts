import type { KeyObject } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { type Answer, giveAnswer } from './webhook-answers.ts';
import { openBody } from './webhook-body.ts';

/** One request as it came in. */
export interface Reception {
  path: string;
  headers: IncomingHttpHeaders;
  /** `webhook-id`. */
  id: string;
  /** The very bytes. */
  raw: Buffer;
  /** The message itself: decoded and decrypted, where that was possible. */
  text: string;
  /** Epoch milliseconds at which the last byte of it was there. */
  at: number;
  /** What is wrong with it, in words. */
  fault?: string;
}

export interface WebhookReceiver {
  port: number;
  url(path: string): string;
  /** All requests, in the order they came in. */
  received: Reception[];
  /** Those to a path. */
  at(path: string): Reception[];
  /** What was wrong with any of them. */
  faults(): string[];
  /** Requests to a path that have no answer yet. */
  open(path: string): number;
  /** From here on, whatever comes to a path must be signed with one of these secrets. */
  expectSignature(path: string, ...secrets: string[]): void;
  /** The next requests to a path get these answers, one after another; those after them 200 again, or `then`. */
  answer(path: string, answers: Answer[], then?: Answer): void;
  [Symbol.asyncDispose](): Promise<void>;
}

interface Options {
  /** 0 takes a free one. */
  port?: number;
  /** Opens what is encrypted. */
  privateKey?: KeyObject;
  /** Answers what is wrong with a message, or undefined. */
  validate?: (message: unknown, reception: Reception) => string | undefined;
  /** Of a sender whose clock a test sets, the age of a signature says nothing. */
  anyAge?: boolean;
}

const OK: Answer = { status: 200, body: 'ok' };

/** A real HTTP server on loopback that keeps every request and looks at it as a careful receiver would. */
export async function startWebhookReceiver({
  port = 0,
  privateKey,
  validate,
  anyAge = false,
}: Options = {}): Promise<WebhookReceiver> {
  const received: Reception[] = [];
  const secrets = new Map<string, string[]>();
  const scripts = new Map<string, { answers: Answer[]; then: Answer }>();
  const open = new Map<string, number>();

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

  async function take(request: IncomingMessage): Promise<Reception> {
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
    open.set(path, (open.get(path) ?? 0) + 1);
    response.on('close', () => open.set(path, open.get(path)! - 1));
    try {
      received.push(await take(request));
    } catch {
      // The sender went away before the last byte: nothing was received.
      return;
    }
    const script = scripts.get(path);
    giveAnswer(response, script?.answers.shift() ?? script?.then ?? OK);
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
    open: (path) => open.get(path) ?? 0,
    expectSignature: (path, ...expected) => void secrets.set(path, expected),
    answer: (path, answers, then = OK) => void scripts.set(path, { answers: [...answers], then }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A path that no secret is known of takes what is not signed as well, as the basic configuration sends it. */
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
