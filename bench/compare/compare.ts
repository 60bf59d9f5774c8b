// Runs Redpen and other tools on the same two sites, and prints which of the planted faults each reports:
//   node bench/compare/compare.ts [tool…]
import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSite } from '../../examples/site-server.ts';
import { version } from '../../src/lib/version.ts';
import { findChromium } from '../../src/outside/browser/find-chromium.ts';
import { messageOf } from '../contender.ts';
import { contenders, type Outcome, versionOf, writeChrome } from './contenders.ts';
import { type Judgment, judge, type PlantedSite } from './judge.ts';
import { type Tool, TRADES } from './trades.ts';

interface Column {
  tool: Tool;
  command: string;
  /** Seconds of each round. */
  seconds: number[];
  judgment: Judgment;
}

const ROUNDS = Number(process.env.ROUNDS ?? 3);
/** A tool whose round takes longer runs once. */
const LONG_MS = 30_000;
const NAMES: Record<Tool, string> = {
  linkinator: `linkinator ${versionOf('linkinator')}`,
  'pa11y-ci': `pa11y-ci ${versionOf('pa11y-ci')}`,
  'axe-cli': `@axe-core/cli ${versionOf('@axe-core/cli')}`,
  lhci: `Lighthouse CI ${versionOf('@lhci/cli')}`,
  redpen: `Redpen ${version}, preset launch`,
  'redpen-all': `Redpen ${version}, eight agents`,
};

const work = mkdtempSync(join(tmpdir(), 'redpen-compare-'));
const { path, env } = await findChromium({
  ...(process.env.CHROME_PATH && { chromePath: process.env.CHROME_PATH }),
});
// `env` has the libraries and fonts of the bundled Chromium. All tools use the same one.
const chrome = writeChrome(work, path);
Object.assign(process.env, env, { CHROME_PATH: chrome, PUPPETEER_EXECUTABLE_PATH: chrome });

const readPlanted = (name: string): PlantedSite =>
  JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8')) as PlantedSite;

async function startBakery() {
  const server = fork(join(import.meta.dirname, 'site-server.ts'));
  const { port } = await messageOf<{ port: number }>(server);
  return { url: `http://127.0.0.1:${port}`, close: async () => void server.disconnect() };
}

const sites = [
  { planted: readPlanted('planted.json'), start: startBakery },
  { planted: readPlanted('planted-sample.json'), start: () => startSite() },
];

const chosen = process.argv.slice(2);
const tools = (Object.keys(TRADES) as Tool[]).filter((tool) => chosen.length === 0 || chosen.includes(tool));
const results: Record<string, Column[]> = {};
try {
  for (const { planted, start } of sites) results[planted.site] = await compareOn(planted, start);
} finally {
  rmSync(work, { recursive: true, force: true });
}
const folder = join(import.meta.dirname, '../results');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'compare.json'), JSON.stringify(results, null, 2));
const table = print();
writeFileSync(join(folder, 'compare.md'), table);
console.log(table);

async function compareOn(
  planted: PlantedSite,
  start: () => Promise<{ url: string; close(): Promise<void> }>,
): Promise<Column[]> {
  const site = await start();
  const columns: Column[] = [];
  try {
    for (const tool of tools) {
      const outcomes: Outcome[] = [];
      try {
        for (let round = 0; round < ROUNDS; round++) {
          const stage = mkdtempSync(join(work, `${tool}-`));
          outcomes.push(
            await contenders[tool]({ origin: site.url, pages: planted.pages, folder: stage, chrome }),
          );
          if (outcomes[0]!.ms > LONG_MS) break;
        }
      } catch (error) {
        console.error(`${tool} is left out: ${error instanceof Error ? error.message : error}`);
        continue;
      }
      const [{ command, reports }] = outcomes as [Outcome];
      const seconds = outcomes.map(({ ms }) => ms / 1_000);
      columns.push({ tool, command, seconds, judgment: judge(tool, planted, reports) });
      console.error(`${planted.site}: ${tool} done`);
    }
  } finally {
    await site.close();
  }
  return columns;
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

function print(): string {
  const [cpu] = cpus();
  const lines = [
    `Chromium ${path.includes('chromium-') ? 'of @sparticuz/chromium' : path}; ${availableParallelism()} × ${cpu?.model ?? 'CPU'}; Node ${process.versions.node}; ${new Date().toISOString().slice(0, 10)}; median of ${ROUNDS} rounds, or one if it takes longer than ${LONG_MS / 1_000} s.`,
  ];
  for (const { planted } of sites) {
    const columns = results[planted.site]!;
    lines.push(
      '',
      `${planted.site}: ${planted.faults.length} planted faults, ${planted.decoys.length} decoys, ${planted.pages.length} pages`,
      '',
      '| Tool | Found | Missed | Not looked for | Found besides | False reports | Other reports | Seconds |',
      '|---|---|---|---|---|---|---|---|',
      ...columns.map(({ tool, seconds, judgment: j }) => {
        const found = j.byHand.length > 0 ? `${j.found.length} (${j.byHand.length} by hand)` : j.found.length;
        const counts = [j.missed, j.notLookedFor, j.besides, j.wrong, j.others];
        return `| ${NAMES[tool]} | ${found} | ${counts.map(({ length }) => length).join(' | ')} | ${median(seconds).toFixed(1)} |`;
      }),
      '',
      ...columns.flatMap(({ tool, command, judgment: { missed, wrong } }) => [
        `- ${NAMES[tool]}: \`${command}\`. Missed: ${listed(missed)}. False: ${listed(wrong.map(({ decoy }) => decoy))}.`,
      ]),
    );
  }
  return `${lines.join('\n')}\n`;
}

function listed(planted: Judgment['missed']): string {
  return planted.map(({ kind, marks }) => (marks[0] ? `${kind} (${marks[0]})` : kind)).join(', ') || 'none';
}
