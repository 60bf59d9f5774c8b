import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import { report } from './figures.ts';
import { type Service, startService } from './service.ts';

// Measures what traces cost: requests per second, in a closed loop of 16, of services that send traces of all requests, or
// of a tenth of them, as a ratio to a service that sends none. Rounds alternate, so that a busy moment of the machine
// affects all. Processor time for each request hardly depends on what else the machine does. The collector, in this
// process, discards what it gets.
const WIDTH = 16;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const ROUND_MS = Number(process.env.ROUND_MS ?? 4_000);

const OPERATIONS = {
  'organizations/get': { path: '/v2/organizations/get', data: () => ({ organizationIds: ['acme'] }) },
  'users/add': {
    path: '/v2/users/add',
    data: (count: number) => ({
      organizationId: 'acme',
      users: [{ userId: `u${count % 500}`, name: 'Ada', email: `u${count % 500}@example.com` }],
    }),
  },
};

interface Side {
  service: Service;
  client: Pool;
  headers: Record<string, string>;
}

let exports = 0;
const collector = createServer((request, response) => {
  exports += 1;
  request.resume().on('end', () => response.end());
});
await new Promise<void>((listening) => collector.listen(0, '127.0.0.1', listening));
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

async function post(client: Pool, path: string, data: object, headers: Record<string, string> = {}) {
  const { statusCode, body } = await client.request({
    method: 'POST',
    path,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ data }),
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${path}: ${text}`);
  return JSON.parse(text).result.data;
}

async function open(env: Record<string, string>): Promise<Side> {
  const service = await startService({ REDPEN_KEY_RATE: '1000000', REDPEN_CONSOLE: 'off', ...env });
  const client = new Pool(service.url, { connections: WIDTH });
  const workspace = await post(client, '/v2/workspace/create', { ownerEmail: 'bench@example.com' });
  const [apiKey = ''] = Object.keys(workspace.apiKeyList);
  const tokens = await post(
    client,
    '/v2/workspace/authtokens/get',
    { apiKey },
    { 'x-service-workspace-id': workspace.id, 'x-service-workspace-auth-token': workspace.authToken },
  );
  const headers = { 'x-service-api-key': apiKey, 'x-service-auth-token': tokens.authTokens[0].token };
  const organizations = [{ organizationId: 'acme', organizationName: 'Acme' }];
  await post(client, '/v2/organizations/add', { organizations }, headers);
  return { service, client, headers };
}

let count = 0;

/** Processor time that the service has used, in seconds. */
async function cpuSeconds({ client }: Side): Promise<number> {
  const { body } = await client.request({ method: 'GET', path: '/metrics' });
  return Number(/^process_cpu_seconds_total (\S+)/m.exec(await body.text())?.[1]);
}

interface Round {
  /** Requests per second. */
  rate: number;
  /** Milliseconds of processor time for each request. */
  cpuMs: number;
}

async function round(side: Side, { path, data }: { path: string; data(n: number): object }): Promise<Round> {
  const { client, headers } = side;
  const cpuBefore = await cpuSeconds(side);
  const until = performance.now() + ROUND_MS;
  let responses = 0;
  const loop = async () => {
    while (performance.now() < until) {
      await post(client, path, data(count++), headers);
      responses += 1;
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: WIDTH }, loop));
  const rate = (responses * 1_000) / (performance.now() - startedAt);
  return { rate, cpuMs: ((await cpuSeconds(side)) - cpuBefore) * (1_000 / responses) };
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
const tenth = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' };
const off = await open({});
const sides: [string, Side][] = [
  ['all traced', await open(traced)],
  ['a tenth traced', await open({ ...traced, ...tenth })],
];
try {
  console.log(`closed loop of ${WIDTH}, ${ROUNDS} rounds of ${ROUND_MS} ms`);
  for (const [name, operation] of Object.entries(OPERATIONS)) {
    for (const side of [off, ...sides.map(([, one]) => one)]) await round(side, operation);
    const base: Round[] = [];
    const rounds: Round[][] = sides.map(() => []);
    for (let index = 0; index < ROUNDS; index++) {
      base.push(await round(off, operation));
      for (const [place, [, side]] of sides.entries()) rounds[place]!.push(await round(side, operation));
    }
    for (const [place, [label]] of sides.entries()) {
      const own = rounds[place]!;
      const value = median(own.map(({ rate }) => rate));
      const reference = median(base.map(({ rate }) => rate));
      const ratio = median(own.map(({ rate }, index) => rate / base[index]!.rate));
      const cpu = median(own.map(({ cpuMs }) => cpuMs));
      const cpuReference = median(base.map(({ cpuMs }) => cpuMs));
      report({ name: `${name}, ${label}`, value, unit: '/s', references: { 'no traces': reference } });
      console.log(
        `${name}, ${label}: ${value.toFixed(0)}/s, without traces ${reference.toFixed(0)}/s, ratio ${ratio.toFixed(2)}; processor time ${cpu.toFixed(2)} ms, without ${cpuReference.toFixed(2)} ms, ratio ${(cpu / cpuReference).toFixed(2)}`,
      );
    }
  }
  if (exports === 0) throw new Error('The collector got nothing.');
} finally {
  for (const { client, service } of [off, ...sides.map(([, one]) => one)]) {
    await client.destroy();
    await service.stop();
  }
  collector.closeAllConnections();
  collector.close();
}
