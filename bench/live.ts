import { readFileSync } from 'node:fs';
import { newDatabase, start, stopAll } from './closed-loop.ts';
import { report } from './figures.ts';
import { type Dialect, openLoad } from './live-clients.ts';
import { liveTenant, pidAt } from './live-tenant.ts';

// Measures the fan-out of 1,000 updates per second to 50 clients of one document, by Redpen, which stores updates
// before it acknowledges them, and by servers that store nothing.
const CLIENTS = 50;
const UPDATES_PER_SECOND = 1_000;
const WARM_UP_MS = 3_000;
const MEASURE_MS = 8_000;
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const NAME = 'acme/home/body';

interface Contender {
  name: string;
  url: string;
  dialect: Dialect;
  token: string;
}

/** Seconds of processor time used so far by the process that listens at a URL. */
function cpuSeconds(url: string): number {
  const fields = readFileSync(`/proc/${pidAt(url)}/stat`, 'utf8')
    .split(') ')[1]!
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

const ours = async (name: string, databaseUrl: string | undefined): Promise<Contender> => ({
  ...(await liveTenant(name, databaseUrl)),
  dialect: 'hocuspocus',
});

const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

const reference = async (kind: string, dialect: Dialect): Promise<Contender> => ({
  name: kind,
  url: await start('bench/live-servers.ts', {}, [kind]),
  dialect,
  token: 'any',
});

const only = process.argv.slice(2);
const known: [name: string, begin: () => Promise<Contender>][] = [
  ['hocuspocus', () => reference('hocuspocus', 'hocuspocus')],
  ['y-websocket', () => reference('y-websocket', 'y-websocket')],
  ['relay', () => reference('relay', 'none')],
  ['redpen on PostgreSQL', async () => ours('redpen on PostgreSQL', await newDatabase('redpen_live'))],
  ['redpen embedded', () => ours('redpen embedded', undefined)],
];
const contenders: Contender[] = [];
for (const [name, begin] of known) {
  const isSelected = only.length === 0 || only.some((part) => name.includes(part));
  if (isSelected && (process.env.DATABASE_URL || !name.includes('PostgreSQL')))
    contenders.push(await begin());
}

const results = new Map<string, { p50: number[]; p99: number[]; cpu: number[] }>();
for (let round = 1; round <= ROUNDS; round++) {
  for (const { name, url, dialect, token } of contenders) {
    const load = await openLoad({
      url: url.replace('http:', 'ws:'),
      dialect,
      name: NAME,
      token,
      clients: CLIENTS,
      updatesPerSecond: UPDATES_PER_SECOND,
    });
    await load.run(WARM_UP_MS);
    const before = cpuSeconds(url);
    const startedAt = performance.now();
    const { latencies, sent, expected } = await load.run(MEASURE_MS);
    const cpu = ((cpuSeconds(url) - before) / (performance.now() - startedAt)) * 100_000;
    load.close();
    const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
    const row = results.get(name) ?? { p50: [], p99: [], cpu: [] };
    row.p50.push(p50);
    row.p99.push(p99);
    row.cpu.push(cpu);
    results.set(name, row);
    const share = latencies.length / expected;
    process.stdout.write(
      `${name}: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms, ${cpu.toFixed(0)} % of a processor; ${sent} updates, ${(share * 100).toFixed(1)} % of them received\n`,
    );
    await new Promise((done) => setTimeout(done, 3_000));
  }
}
const base = results.get('hocuspocus');
for (const [name, { p50, p99, cpu }] of results) {
  const ratios = base
    ? `, ${(median(p99) / median(base.p99)).toFixed(2)} and ${(median(cpu) / median(base.cpu)).toFixed(2)} of Hocuspocus`
    : '';
  const others = (values: (row: { p99: number[]; cpu: number[] }) => number[]) =>
    Object.fromEntries(
      [...results].flatMap(([other, row]) =>
        other === name || other.startsWith('redpen') ? [] : [[other, median(values(row))]],
      ),
    );
  if (name.startsWith('redpen')) {
    report({
      name: `live updates, ${name}, p99`,
      value: median(p99),
      unit: 'ms',
      references: others((row) => row.p99),
    });
    report({
      name: `live updates, ${name}, processor`,
      value: median(cpu),
      unit: '%',
      references: others((row) => row.cpu),
    });
  }
  process.stdout.write(
    `${name}: p50 ${median(p50).toFixed(2)} ms, p99 ${median(p99).toFixed(2)} ms, ${median(cpu).toFixed(0)} %${ratios}\n`,
  );
}
stopAll();
