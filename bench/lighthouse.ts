import { execFile, fork } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findChromium } from '../src/outside/browser/find-chromium.ts';
import { createLighthouse } from '../src/outside/lighthouse/create-lighthouse.ts';
import { lighthouseCategories } from '../src/outside/lighthouse/lighthouse-report.ts';
import { createGuard } from '../src/outside/net/ssrf-guard.ts';
import { median } from './closed-loop.ts';
import { messageOf } from './contender.ts';
import { report } from './figures.ts';

// Compares scores instead of speed: those of a page by Redpen and by the command line of Lighthouse, in turns and on
// the same Chromium. Prints the scores of every round, which show the spread.
const ROUNDS = Number(process.env.ROUNDS ?? 3);
const { path: chromePath, env } = await findChromium({ chromePath: process.env.CHROME_PATH });
Object.assign(process.env, env);
const cliPath = join(dirname(createRequire(import.meta.url).resolve('lighthouse')), '../cli/index.js');
const audit = createLighthouse({
  chromePath,
  guard: createGuard({ allowHosts: ['127.0.0.0/8'] }),
  log: () => {},
});

type Scores = Record<string, number | null>;

const contenders: Record<string, (url: string, formFactor: 'mobile' | 'desktop') => Promise<Scores>> = {
  redpen: async (url, formFactor) => (await audit(url, { formFactor, timeoutMs: 180_000 })).scores,

  async cli(url, formFactor) {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        cliPath,
        url,
        '--quiet',
        '--output=json',
        '--no-enable-error-reporting',
        '--chrome-flags=--headless --no-sandbox',
        `--only-categories=${lighthouseCategories.join()}`,
        ...(formFactor === 'desktop' ? ['--preset=desktop'] : []),
      ],
      { env: { ...process.env, CHROME_PATH: chromePath }, maxBuffer: 1e9 },
    );
    const { categories } = JSON.parse(stdout) as { categories: Record<string, { score: number | null }> };
    return Object.fromEntries(
      Object.entries(categories).map(([id, { score }]) => [
        id,
        score === null ? null : Math.round(score * 100),
      ]),
    );
  },
};

const server = fork(new URL('./accessibility-site.ts', import.meta.url));
const { port } = await messageOf<{ port: number }>(server);
for (const formFactor of ['mobile', 'desktop'] as const) {
  const scores: Record<string, Scores[]> = {};
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, scoresOf] of Object.entries(contenders)) {
      scores[name] = [...(scores[name] ?? []), await scoresOf(`http://127.0.0.1:${port}/heavy`, formFactor)];
    }
  }
  for (const category of lighthouseCategories) {
    const cells = Object.entries(scores).map(
      ([name, rounds]) => `${name} ${rounds.map((round) => round[category]).join(' ')}`,
    );
    const medianOf = (name: string) => median(scores[name]!.map((one) => one[category] ?? 0));
    report({
      name: `Lighthouse score ${category}, ${formFactor}`,
      value: medianOf('redpen'),
      unit: 'score',
      references: Object.fromEntries(
        Object.keys(scores).flatMap((name) => (name === 'redpen' ? [] : [[name, medianOf(name)]])),
      ),
    });
    console.log(`${formFactor} ${category}: ${cells.join(' | ')}`);
  }
}
server.disconnect();
