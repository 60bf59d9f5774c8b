import { spawn } from 'node:child_process';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Figure } from './figures.ts';
import { type OwnPostgres, startOwnPostgres } from './own-postgres.ts';

// Runs every benchmark in its short form, one after the other, and writes one table of their figures as Markdown and
// JSON. The table also shows the figures of the last run, or of the file that --before names. Names of benchmarks as
// arguments select some. Without DATABASE_URL it starts the bundled PostgreSQL for the benchmarks that need a server.

interface Step {
  /** Name of the file without its ending. */
  name: string;
  env?: Record<string, string>;
  args?: string[];
  /** Time limit; the benchmark is ended and counts as failed. */
  seconds: number;
  /** A reason to skip the benchmark on this machine. */
  skip?(): string | undefined;
}

const isRoot = () => (process.getuid?.() === 0 ? undefined : 'it mounts a file system, which needs root');
const hasRedis = () =>
  process.env.PATH?.split(':').some((folder) => existsSync(join(folder, 'redis-server')))
    ? undefined
    : 'redis-server is not on the path';

const STEPS: Step[] = [
  {
    name: 'start',
    env: { IDLE_MS: '10000', STARTS: '1', PAGES: '20', SERVICES: 'broken-links' },
    seconds: 240,
  },
  { name: 'operations', env: { ROUNDS: '3', ROUND_MS: '500' }, seconds: 300 },
  { name: 'comments', env: { ROUNDS: '3', ROUND_MS: '2000' }, seconds: 120 },
  { name: 'annotations', env: { ROUNDS: '2', ROUND_MS: '1000', ROWS: '100000' }, seconds: 180 },
  { name: 'api', env: { ROUNDS: '3', ROUND_MS: '1500' }, seconds: 90 },
  { name: 'tracing', env: { ROUNDS: '3', ROUND_MS: '1500' }, seconds: 120 },
  { name: 'users', env: { ROUNDS: '2' }, seconds: 90 },
  { name: 'audit', env: { ROUNDS: '3', ROUND_MS: '1500' }, seconds: 60 },
  { name: 'growth', env: { SCALE: '0.01', MS: '600', CALLS: '100', REPEATS: '3' }, seconds: 300 },
  { name: 'processes', env: { MS: '1500' }, seconds: 120 },
  { name: 'relay', env: { COUNT: '3000', ROUNDS: '2' }, seconds: 90 },
  { name: 'webhooks', env: { ROUNDS: '1', COUNT: '3000' }, seconds: 180, skip: hasRedis },
  { name: 'webhook-lanes', env: { ROUNDS: '1', SECONDS: '6' }, seconds: 120 },
  { name: 'live', env: { ROUNDS: '1' }, seconds: 180 },
  { name: 'live-rest', env: { ROUNDS: '1' }, seconds: 120 },
  { name: 'editor-stalls', env: { SCENARIO_MS: '3000' }, seconds: 120 },
  { name: 'links', env: { ROUNDS: '1' }, seconds: 240 },
  { name: 'rendered-links', env: { ROUNDS: '1', PAGES: '30' }, seconds: 180 },
  { name: 'crawl', env: { ROUNDS: '1', HTTP_PAGES: '500', BROWSER_PAGES: '40' }, seconds: 120 },
  { name: 'screenshots', env: { ROUNDS: '1', SHOTS: '1' }, seconds: 180 },
  { name: 'accessibility', env: { ROUNDS: '1' }, seconds: 180 },
  { name: 'lighthouse', env: { ROUNDS: '1' }, seconds: 240 },
  { name: 'fair-runs', env: { RUNS: '30' }, seconds: 180 },
  { name: 'large-runs', env: { LINKS_OF_PAGE: '4000', PAGES: '20', READS: '20' }, seconds: 240 },
  { name: 'full-disk', env: { ROUNDS: '1' }, seconds: 180, skip: isRoot },
  {
    name: 'neighbors',
    env: { LOAD_MS: '5000' },
    args: ['no load', 'bodies of 800 kB', 'live editors'],
    seconds: 180,
  },
  { name: 'console', env: { ROUNDS: '2', FINDINGS: '1000', COMMENTS: '15', STARTS: '1' }, seconds: 400 },
  { name: 'mcp-findings', env: { FINDINGS: '2000', CALLS: '30' }, seconds: 120 },
  { name: 'memory-search', env: { ROWS: '20000', QUERIES: '60' }, seconds: 120 },
  {
    name: 'memory-requests',
    env: { ROWS: '20000', QUERIES: '40', ROUNDS: '1', ROUND_MS: '1000' },
    seconds: 120,
  },
  { name: 'memory-import', env: { JUDGMENTS: '1500', QUIET_MS: '3000' }, seconds: 120 },
  { name: 'memory-suggest', env: { SEEDS: '1' }, seconds: 180 },
  { name: 'memory-quality', seconds: 120 },
  { name: 'embeddings', env: { ROUNDS: '1', TEXTS: '100' }, seconds: 120 },
  {
    name: 'everyday',
    env: { ROUNDS: '1', ROUND_MS: '500', STARTS: '1', JUDGMENTS: '500', QUIET_MS: '2000' },
    seconds: 120,
  },
];

interface Outcome {
  benchmark: string;
  seconds: number;
  /** `ok`, or the reason why the benchmark failed or was skipped. */
  state: string;
  figures: Figure[];
}

interface Results {
  createdAt: string;
  seconds: number;
  outcomes: Outcome[];
}

const RESULTS = join(import.meta.dirname, 'results');
const { values: options, positionals: selected } = parseArgs({
  allowPositionals: true,
  options: { before: { type: 'string' } },
});
const unknown = selected.filter((name) => !STEPS.some((step) => step.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no benchmark ${unknown.join(', ')}. The benchmarks are: ${STEPS.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(2);
}

let endCurrent = () => {};
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    endCurrent();
    process.exit(130);
  });

/** Runs a benchmark with its output in a log file; returns its exit code, or undefined if it took too long. */
function runStep(step: Step, env: Record<string, string>): Promise<number | undefined> {
  const log = createWriteStream(join(RESULTS, `${step.name}.log`));
  const file = join(import.meta.dirname, `${step.name}.ts`);
  const child = spawn(process.execPath, [file, ...(step.args ?? [])], {
    cwd: resolve(import.meta.dirname, '..'),
    env: { ...process.env, ...step.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own, so that services and browsers which it started end with it.
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false });
  endCurrent = () => process.kill(-child.pid!, 'SIGKILL');
  return new Promise((done) => {
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      endCurrent();
    }, step.seconds * 1_000);
    child.once('exit', (code) => {
      clearTimeout(limit);
      endCurrent = () => {};
      log.end();
      done(isLate ? undefined : (code ?? 1));
    });
  });
}

async function measure(step: Step, databaseUrl: string, folder: string): Promise<Outcome> {
  const skipped = step.skip?.();
  if (skipped) return { benchmark: step.name, seconds: 0, state: `skipped: ${skipped}`, figures: [] };
  const file = join(folder, step.name);
  const startedAt = performance.now();
  const code = await runStep(step, { DATABASE_URL: databaseUrl, FIGURES: file });
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return {
    benchmark: step.name,
    seconds: (performance.now() - startedAt) / 1_000,
    state:
      code === undefined
        ? `ended after ${step.seconds} s`
        : code === 0
          ? 'ok'
          : `failed with exit code ${code}, see results/${step.name}.log`,
    figures: lines.map((line) => JSON.parse(line) as Figure),
  };
}

const formatted = (value: number): string =>
  Math.abs(value) >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString();

/** The table of all figures, with the figures of an earlier run beside them. */
function tableOf({ createdAt, seconds, outcomes }: Results, before: Results | undefined): string {
  const earlier = new Map(
    before?.outcomes.flatMap(({ benchmark, figures }) =>
      figures.map(({ name, value }) => [`${benchmark} ${name}`, value] as const),
    ),
  );
  const rows = outcomes.flatMap(({ benchmark, figures, state }) => [
    ...figures.map(({ name, value, unit, references = {} }) => {
      const last = earlier.get(`${benchmark} ${name}`);
      const beside = Object.entries(references).map(
        ([reference, other]) => `${reference} ${formatted(other)} (${(value / other).toFixed(2)})`,
      );
      return [
        benchmark,
        name,
        `${formatted(value)} ${unit}`,
        beside.join(', '),
        last === undefined ? '' : formatted(last),
        last ? `${value >= last ? '+' : ''}${((value / last - 1) * 100).toFixed(0)} %` : '',
      ];
    }),
    ...(state === 'ok' && figures.length > 0 ? [] : [[benchmark, state, '', '', '', '']]),
  ]);
  const head = ['Benchmark', 'Figure', 'Redpen', 'Reference (Redpen divided by it)', 'Before', 'Change'];
  return [
    `# Figures of ${createdAt}`,
    '',
    `All benchmarks in their short form, in ${(seconds / 60).toFixed(1)} minutes. Short rounds scatter: run a benchmark alone to judge a small change.`,
    '',
    ...[head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`),
    '',
  ].join('\n');
}

mkdirSync(RESULTS, { recursive: true });
const resultsFile = join(RESULTS, 'results.json');
const beforeFile = options.before ?? (existsSync(resultsFile) ? resultsFile : undefined);
const before = beforeFile && (JSON.parse(readFileSync(beforeFile, 'utf8')) as Results);
const folder = mkdtempSync(join(tmpdir(), 'redpen-figures-'));
let postgres: OwnPostgres | undefined;
const startedAt = performance.now();
const results: Results = { createdAt: new Date().toISOString(), seconds: 0, outcomes: [] };
try {
  if (process.env.DATABASE_URL === undefined) postgres = await startOwnPostgres();
  const databaseUrl = postgres?.url ?? process.env.DATABASE_URL!;
  for (const step of STEPS.filter(({ name }) => selected.length === 0 || selected.includes(name))) {
    const outcome = await measure(step, databaseUrl, folder);
    const { benchmark, seconds, state, figures } = outcome;
    console.log(
      `${benchmark.padEnd(16)} ${seconds.toFixed(0).padStart(4)} s  ${String(figures.length).padStart(3)} figures  ${state}`,
    );
    results.outcomes.push(outcome);
  }
} finally {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
}
results.seconds = (performance.now() - startedAt) / 1_000;
const table = tableOf(results, before || undefined);
writeFileSync(resultsFile, `${JSON.stringify(results, null, 2)}\n`);
writeFileSync(join(RESULTS, 'results.md'), table);
console.log(`\n${table}\n${resultsFile}\n${join(RESULTS, 'results.md')}`);
if (results.outcomes.some(({ state }) => state !== 'ok' && !state.startsWith('skipped')))
  process.exitCode = 1;
