import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, json } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

// Takes the deliveries of webhooks.ts in a process of its own. Every 64th signature is checked, which shows that
// they are signed and leaves the work to the sender.
const CHECKED = 64;

let secrets: Record<string, string> = {};
let expected = 0;
let seen = new Set<string>();
let requests = 0;
let faults = 0;
let first = 0;
let last = 0;
let delays = new Map<string, number[]>();
let measuresDelays = false;
let onAll = () => {};

function take(path: string, request: IncomingMessage, raw: Buffer): void {
  // A straggler of an earlier round, or to an endpoint that is not measured.
  if (secrets[path] === undefined) return;
  const id = String(request.headers['webhook-id']);
  const now = performance.now();
  first ||= now;
  if (requests++ % CHECKED === 0) {
    try {
      new Webhook(secrets[path]).verify(raw, request.headers as Record<string, string>);
    } catch {
      faults += 1;
    }
  }
  const key = path + id;
  if (seen.has(key)) return;
  seen.add(key);
  last = now;
  if (measuresDelays) {
    const { createdAt } = JSON.parse(raw.toString('utf8')) as { createdAt: number };
    delays.set(path, [...(delays.get(path) ?? []), Date.now() - createdAt]);
  }
  if (seen.size === expected) onAll();
}

const controls: Record<string, (request: IncomingMessage) => Promise<unknown>> = {
  /** Forgets everything; from now on so many different deliveries are waited for. */
  async '/begin'(request) {
    const wanted = (await json(request)) as {
      count: number;
      secrets: Record<string, string>;
      delays?: boolean;
    };
    ({ count: expected, secrets, delays: measuresDelays = false } = wanted);
    [seen, delays, requests, faults, first, last] = [new Set(), new Map(), 0, 0, 0, 0];
    return {};
  },
  /** Waits for them. */
  async '/end'() {
    if (seen.size < expected) await new Promise<void>((resolve) => (onAll = resolve));
    if (faults > 0) throw new Error(`${faults} signatures were wrong.`);
    return { ms: last - first, repeats: requests - seen.size, delays: Object.fromEntries(delays) };
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
  // Whoever is slow never answers: the sender has to give up.
  if (path.startsWith('/slow')) return;
  take(path, request, raw);
  response.end('ok');
});
server.keepAliveTimeout = 120_000;
server.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
