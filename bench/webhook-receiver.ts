import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, json } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

// Receives the deliveries of webhooks.ts and webhook-lanes.ts in a separate process. It verifies only some
// signatures, so that the sender is the bottleneck.
const VERIFY_EVERY = 64;

let secrets: Record<string, string> = {};
let expected = 0;
let seen = new Set<string>();
let requests = 0;
let invalidSignatures = 0;
let firstAt = 0;
let lastAt = 0;
let delays = new Map<string, number[]>();
let measuresDelays = false;
let onComplete = () => {};

function receive(path: string, request: IncomingMessage, raw: Buffer): void {
  // A late delivery of an earlier round, or a delivery to an endpoint that is not measured.
  if (secrets[path] === undefined) return;
  const id = String(request.headers['webhook-id']);
  const now = performance.now();
  firstAt ||= now;
  if (requests++ % VERIFY_EVERY === 0) {
    try {
      new Webhook(secrets[path]).verify(raw, request.headers as Record<string, string>);
    } catch {
      invalidSignatures += 1;
    }
  }
  const key = path + id;
  if (seen.has(key)) return;
  seen.add(key);
  lastAt = now;
  if (measuresDelays) {
    const { createdAt } = JSON.parse(raw.toString('utf8')) as { createdAt: number };
    delays.set(path, [...(delays.get(path) ?? []), Date.now() - createdAt]);
  }
  if (seen.size === expected) onComplete();
}

const controls: Record<string, (request: IncomingMessage) => Promise<unknown>> = {
  /** Starts a round of `count` distinct deliveries. */
  async '/begin'(request) {
    const options = (await json(request)) as {
      count: number;
      secrets: Record<string, string>;
      delays?: boolean;
    };
    ({ count: expected, secrets, delays: measuresDelays = false } = options);
    [seen, delays, requests, invalidSignatures, firstAt, lastAt] = [new Set(), new Map(), 0, 0, 0, 0];
    return {};
  },
  /** Responds when the round is complete. */
  async '/end'() {
    if (seen.size < expected) await new Promise<void>((resolve) => (onComplete = resolve));
    if (invalidSignatures > 0) throw new Error(`${invalidSignatures} signatures are invalid.`);
    return { ms: lastAt - firstAt, repeats: requests - seen.size, delays: Object.fromEntries(delays) };
  },
};

const server = createServer(async (request, response) => {
  const path = request.url ?? '';
  const control = controls[path];
  if (control) {
    try {
      response.end(JSON.stringify(await control(request)));
    } catch (error) {
      response.writeHead(500).end((error as Error).message);
    }
    return;
  }
  const raw = await buffer(request);
  // A hanging endpoint never responds, so the request of the sender times out.
  if (path.startsWith('/hanging')) return;
  receive(path, request, raw);
  response.end('ok');
});
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
