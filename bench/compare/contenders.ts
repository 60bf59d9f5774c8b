import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Report } from '../../src/report/report.ts';
import type { Reported } from './judge.ts';
import type { Tool } from './trades.ts';

/** Where a tool runs. */
export interface Stage {
  origin: string;
  /** Paths of all pages, for tools that do not find them by themselves. */
  pages: string[];
  /** An empty folder. */
  folder: string;
  /** A program that starts Chromium without network, beside that of this machine. */
  chrome: string;
}

export interface Outcome {
  command: string;
  ms: number;
  reports: Reported[];
}

const here = import.meta.dirname;
const root = resolve(here, '../..');

export const versionOf = (name: string): string =>
  (JSON.parse(readFileSync(join(here, 'node_modules', name, 'package.json'), 'utf8')) as { version: string })
    .version;

/** Writes a program that adds flags to Chromium: no names are looked up, so nothing but loopback is reached. */
export function writeChrome(folder: string, path: string): string {
  const program = join(folder, 'chrome');
  const rules = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1';
  writeFileSync(program, `#!/bin/sh\nexec '${path}' --no-sandbox '${rules}' "$@"\n`);
  chmodSync(program, 0o755);
  return program;
}

interface Ended {
  ms: number;
  stdout: string;
  stderr: string;
}

/** Runs a program of Node. These programs end with codes above 0 when they find faults. */
const run = (args: string[], cwd: string, env: Record<string, string> = {}) =>
  new Promise<Ended>((done, fail) => {
    const startedAt = performance.now();
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...process.env, ...env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      stdout += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    child.once('error', fail);
    child.once('close', () => done({ ms: performance.now() - startedAt, stdout, stderr }));
  });

const bin = (path: string) => join(here, 'node_modules', path);

const pathOf = (url: string): string => URL.parse(url)?.pathname ?? url;

/** All texts within a value, a line each. */
const textsOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.values(value).map(textsOf).filter(Boolean).join('\n');
};

function parsed<T>(text: string, ended: Ended): T {
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new Error(`No result:\n${ended.stdout.slice(-2_000)}\n${ended.stderr.slice(-2_000)}`);
  }
}

interface LinkinatorLink {
  url: string;
  status?: number;
  state: string;
  parent?: string;
  failureDetails?: unknown;
}

async function linkinator({ origin, folder }: Stage): Promise<Outcome> {
  const flags = ['--recurse', '--check-css', '--check-fragments', '--redirects', 'error', '--format', 'json'];
  const ended = await run([bin('linkinator/build/src/cli.js'), `${origin}/`, ...flags], folder);
  const { links } = parsed<{ links: LinkinatorLink[] }>(ended.stdout.slice(ended.stdout.indexOf('{')), ended);
  return {
    command: `linkinator URL ${flags.join(' ')}`,
    ms: ended.ms,
    reports: links
      .filter(({ state }) => state === 'BROKEN')
      .map(({ url, status, parent, failureDetails }) => ({
        page: pathOf(parent ?? ''),
        rule: `broken ${url.includes('#') ? 'fragment ' : ''}${status && status >= 300 && status < 400 ? 'redirect ' : ''}status ${status ?? 0}`,
        text: `${url}\n${textsOf(failureDetails)}`,
      })),
  };
}

interface Pa11yIssue {
  code: string;
  message: string;
  context: string;
  selector: string;
}

async function pa11yCi({ origin, pages, folder, chrome }: Stage): Promise<Outcome> {
  const config = {
    defaults: {
      standard: 'WCAG2AA',
      runners: ['axe', 'htmlcs'],
      chromeLaunchConfig: { executablePath: chrome },
    },
    urls: pages.map((page) => origin + page),
  };
  writeFileSync(join(folder, 'pa11yci.json'), JSON.stringify(config));
  const ended = await run(
    [bin('pa11y-ci/bin/pa11y-ci.js'), '--json', '--config', join(folder, 'pa11yci.json')],
    folder,
  );
  const { results } = parsed<{ results: Record<string, Partial<Pa11yIssue>[]> }>(ended.stdout, ended);
  const failed = Object.entries(results).find(([, issues]) => issues.some(({ code }) => code === undefined));
  if (failed) throw new Error(`pa11y-ci did not review ${failed[0]}: ${JSON.stringify(failed[1])}`);
  return {
    command: 'pa11y-ci --json --config pa11yci.json (WCAG2AA; runners axe and htmlcs)',
    ms: ended.ms,
    reports: Object.entries(results).flatMap(([url, issues]) =>
      issues.map(({ code, message, context, selector }) => ({
        page: pathOf(url),
        rule: `${code} ${message}`,
        text: `${selector}\n${context}`,
      })),
    ),
  };
}

interface AxeResult {
  url: string;
  violations: { id: string; help: string; nodes: { target: unknown; html: string }[] }[];
}

async function axeCli({ origin, pages, folder, chrome }: Stage): Promise<Outcome> {
  const driver = process.env.CHROMEDRIVER_PATH;
  if (!driver) throw new Error('CHROMEDRIVER_PATH is not set');
  const urls = pages.map((page) => origin + page);
  const ended = await run(
    [
      bin('@axe-core/cli/dist/src/bin/cli.js'),
      ...urls,
      ...['--dir', folder, '--save', 'axe.json', '--chromedriver-path', driver, '--chrome-path', chrome],
    ],
    folder,
  );
  let results: AxeResult[];
  try {
    results = JSON.parse(readFileSync(join(folder, 'axe.json'), 'utf8')) as AxeResult[];
  } catch {
    throw new Error(`@axe-core/cli: ${ended.stdout.slice(-1_000)}${ended.stderr.slice(-1_000)}`);
  }
  return {
    command: 'axe URL… --save axe.json',
    ms: ended.ms,
    reports: results.flatMap(({ url, violations }) =>
      violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ target, html }) => ({
          page: pathOf(url),
          rule: `${id} ${help}`,
          text: `${textsOf(target)}\n${html}`,
        })),
      ),
    ),
  };
}

interface LighthouseResult {
  requestedUrl: string;
  audits: Record<
    string,
    { id: string; title: string; score: number | null; details?: { items?: unknown[] } }
  >;
}

async function lhci({ origin, pages, folder, chrome }: Stage): Promise<Outcome> {
  const flags = ['--numberOfRuns=1', '--settings.onlyCategories=accessibility,best-practices,seo'];
  const ended = await run(
    [
      bin('@lhci/cli/src/cli.js'),
      'collect',
      ...pages.map((page) => `--url=${origin}${page}`),
      ...flags,
      `--chromePath=${chrome}`,
    ],
    folder,
  );
  const files = readdirSync(join(folder, '.lighthouseci')).filter((name) => /^lhr-.*\.json$/.test(name));
  if (files.length !== pages.length) throw new Error(`lhci: ${ended.stdout}${ended.stderr}`.slice(-2_000));
  const results = files.map(
    (name) => JSON.parse(readFileSync(join(folder, '.lighthouseci', name), 'utf8')) as LighthouseResult,
  );
  return {
    command: `lhci collect --url=URL… ${flags.join(' ')}`,
    ms: ended.ms,
    reports: results.flatMap(({ requestedUrl, audits }) =>
      Object.values(audits)
        .filter(({ score }) => score !== null && score < 1)
        .flatMap(({ id, title, details }) =>
          (details?.items?.length ? details.items : ['']).map((item) => ({
            page: pathOf(requestedUrl),
            rule: `${id} ${title}`,
            text: textsOf(item),
          })),
        ),
    ),
  };
}

const redpen =
  (flags: string[]) =>
  async ({ origin, pages, folder }: Stage): Promise<Outcome> => {
    const output = join(folder, 'reports');
    mkdirSync(output);
    const all = [
      ...flags,
      '--max-pages',
      String(pages.length + 10),
      '--fail-on',
      'never',
      '--format',
      'json',
    ];
    const ended = await run(
      [join(root, 'src/cli.ts'), 'review', `${origin}/`, ...all, '--output', output, '--quiet'],
      folder,
      { REDPEN_BROWSER_SANDBOX: 'off' },
    );
    const text = (() => {
      try {
        return readFileSync(join(output, 'report.json'), 'utf8');
      } catch {
        return '';
      }
    })();
    const { findings } = parsed<Report>(text, ended);
    return {
      command: `redpen review URL ${all.join(' ')}`,
      ms: ended.ms,
      reports: findings.map((finding) => ({
        page: pathOf(finding.pageUrl),
        rule: [finding.issueType, ...finding.alsoKnownAs, finding.title].join(' '),
        text: [
          finding.description,
          finding.targetText,
          finding.htmlSelector,
          finding.htmlSnippet,
          finding.url,
        ].join('\n'),
      })),
    };
  };

const MODEL_FREE = [
  'broken-links',
  'accessibility-checker',
  'spell-check',
  'lorem-ipsum',
  'og-image-checker',
  'sensitive-data',
  'pii-detection',
  'lighthouse',
];

export const contenders: Record<Tool, (stage: Stage) => Promise<Outcome>> = {
  linkinator,
  'pa11y-ci': pa11yCi,
  'axe-cli': axeCli,
  lhci,
  redpen: redpen(['--preset', 'launch']),
  'redpen-all': redpen(['--agents', MODEL_FREE.join(',')]),
};
