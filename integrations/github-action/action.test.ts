import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startGithub } from '../../test/fakes/github-server.ts';
import { madeFinding, madeReport } from '../../test/fakes/made-report.ts';
import { runAction } from '../../test/fakes/workflow-job.ts';
import { NODE_COMPILE_CACHE } from '../../test/run/compile-cache.ts';
import { until } from '../../test/run/until.ts';

const folder = import.meta.dirname;
const dockerProgram = resolve(folder, '../../test/fakes/docker-program.ts');

interface StandInRun {
  entrypoint: string;
  image: string;
  user: string;
  network: string;
  volumes: string[];
  env: Record<string, string>;
  args: string[];
  read?: { text: string; mode: number };
}

/** A runner with a stand-in for docker, and a review that ends with a code and writes reports, or none. */
function stage(code = 0, { reports = true } = {}) {
  const work = mkdtempSync(join(tmpdir(), 'redpen-action-'));
  onTestFinished(() => rmSync(work, { recursive: true }));
  const [bin, made] = [join(work, 'bin'), join(work, 'made')];
  for (const each of [bin, made]) mkdirSync(each);
  const docker = join(bin, 'docker');
  writeFileSync(
    docker,
    `#!/bin/sh\nNODE_COMPILE_CACHE='${NODE_COMPILE_CACHE}' exec '${process.execPath}' '${dockerProgram}' "$@"\n`,
  );
  chmodSync(docker, 0o755);
  const findings = [madeFinding({ title: 'Broken, 100%', state: 'new', failsGate: true })];
  const gate = { failOn: 'high' as const, onlyNew: false, passed: false, reasons: ['One finding.'] };
  writeFileSync(join(made, 'report.json'), JSON.stringify(madeReport({ findings, gate })));
  writeFileSync(join(made, 'report.md'), '<!-- redpen-report -->\n## 1 finding\n');
  writeFileSync(join(made, 'report.html'), '<!doctype html>');
  writeFileSync(join(made, 'report.sarif'), '{}');
  const event = join(work, 'event.json');
  writeFileSync(event, '{"pull_request":{"number":7}}');
  const log = join(work, 'log');
  writeFileSync(log, '');
  const env: Record<string, string> = {
    PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_EVENT_PATH: event,
    GITHUB_REPOSITORY: 'acme/site',
    STAND_IN_LOG: log,
    ...(reports && { STAND_IN_REPORTS: made }),
    STAND_IN_CODE: String(code),
  };
  return {
    work,
    env,
    made,
    workspace: join(work, 'workspace'),
    runs: () =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as StandInRun),
    run: (
      inputs: Record<string, string>,
      more: Pick<Parameters<typeof runAction>[1], 'failing' | 'started'> = {},
    ) =>
      runAction(folder, {
        work,
        env,
        inputs: { image: 'redpen:1', urls: 'http://site.example/', preset: 'launch', ...inputs },
        ...more,
      }),
  };
}

test('a failed gate fails the job at its end, after everything is written and uploaded', async () => {
  const { run, workspace, runs } = stage(1);
  const result = await run({ sarif: 'true' });
  expect(result.conclusion).toBe('failure');
  expect(result.codes).toEqual({ Review: 0, Results: 0, Verdict: 1 });
  const reports = join(workspace, 'redpen-report');
  expect(result.outputs).toEqual({
    verdict: 'findings',
    passed: 'false',
    findings: '1',
    new: '1',
    fixed: '0',
    failing: '1',
    report: join(reports, 'report.html'),
    reports,
    'exit-code': '1',
  });
  expect(result.summary).toBe('<!-- redpen-report -->\n## 1 finding\n');
  expect(result.logs.Results).toContain(
    '::error title=Broken%2C 100%25::http://site.example/%0AIt is wrong.%0ACorrect it.',
  );
  expect(result.used).toEqual({
    'actions/upload-artifact@v4': {
      name: 'redpen-report',
      path: reports,
      'retention-days': '0',
      'if-no-files-found': 'warn',
    },
    'github/codeql-action/upload-sarif@v3': {
      sarif_file: join(reports, 'report.sarif'),
      category: 'redpen',
    },
  });
  const [review] = runs();
  expect(review).toMatchObject({
    entrypoint: 'redpen',
    image: 'redpen:1',
    network: 'host',
    user: `${process.getuid!()}:${process.getgid!()}`,
    args: [
      'review',
      '--preset=launch',
      '--format=text,json,html,junit,sarif,markdown,csv,codequality',
      `--output=${reports}`,
      '--',
      'http://site.example/',
    ],
  });
  expect(review!.volumes).toContain(`${workspace}:${workspace}`);
});

test.each([
  [0, 'The review passes.'],
  [1, '::error title=Redpen::The review has findings'],
  [2, '::error title=Redpen::The review was not started'],
  [3, '::error title=Redpen::The review could not be done.'],
  [130, '::error title=Redpen::The review was interrupted.'],
  [125, '::error title=Redpen::The review could not be done.'],
])('the last step ends with the exit code %i of the review', (code, message) => {
  const { status, stdout } = spawnSync('bash', [join(folder, 'steps.sh'), 'verdict'], {
    env: { PATH: process.env.PATH, REVIEW_EXIT_CODE: String(code) },
    encoding: 'utf8',
  });
  expect([status, stdout]).toEqual([code, expect.stringContaining(message)]);
});

test('all inputs become arguments as they are, whatever they contain', async () => {
  const { run, runs, workspace } = stage();
  const hostile = '$(touch made-by-input)`touch made-by-input`\'"; touch made-by-input #';
  const result = await run({
    urls: `http://a.example/?q=$(touch%20x)&y='"\n  http://b.example/*  --server=http://evil.example`,
    agents: 'a, b\n--c $(touch made-by-input)',
    preset: hostile,
    pages: `${hostile}\n\n  /docs/* \n`,
    sitemap: 'true',
    'max-pages': '--help',
    device: 'mobile',
    auth: 'login state.json',
    'fail-on': 'high',
    'fail-on-new': 'true',
    'max-findings': '3',
    baseline: '/abs/base line.json',
    rules: 'spelling=off\n--output=/etc\nog-image=low',
    config: 'redpen.config.ts',
    document: hostile,
    server: 'http://127.0.0.1:1/\n--x',
    'api-key': hostile,
    'auth-token': 'secret',
    output: `out ${hostile}`,
    'comment-key': hostile,
    artifact: '',
  });
  expect(result.conclusion).toBe('success');
  const [review] = runs();
  expect(review!.args).toEqual([
    'review',
    '--agents=a,b,--c,$(touch,made-by-input)',
    `--preset=${hostile}`,
    `--pages=${hostile}`,
    '--pages=/docs/*',
    '--sitemap',
    '--max-pages=--help',
    '--device=mobile',
    `--auth=${workspace}/login state.json`,
    '--fail-on=high',
    '--fail-on-new',
    '--max-findings=3',
    '--baseline=/abs/base line.json',
    '--rule=spelling=off',
    '--rule=--output=/etc',
    '--rule=og-image=low',
    `--document=${hostile}`,
    '--server=http://127.0.0.1:1/\n--x',
    `--config=${workspace}/redpen.config.ts`,
    '--format=text,json,html,junit,sarif,markdown,csv,codequality',
    `--output=${workspace}/out ${hostile}`,
    '--',
    `http://a.example/?q=$(touch%20x)&y='"`,
    'http://b.example/*',
    '--server=http://evil.example',
  ]);
  expect(review!.env).toMatchObject({ REDPEN_API_KEY: hostile, REDPEN_AUTH_TOKEN: 'secret' });
  expect(JSON.stringify(review!.args)).not.toContain('secret');
  expect(result.outputs.report).toBe(`${workspace}/out ${hostile}/report.html`);
  expect(readdirSync(workspace)).toEqual([`out ${hostile}`]);
  expect(Object.keys(result.used)).toEqual([]);
});

test('an output folder with a line end does not add outputs', async () => {
  const { run, workspace } = stage();
  const result = await run({ output: 'a\nexit-code=0\nreports=/etc', annotations: 'false' });
  expect(result.outputs.reports).toBe(`${workspace}/a\nexit-code=0\nreports=/etc`);
  expect(result.outputs['exit-code']).toBe('0');
});

test.each([
  ['sitemap', 'yes'],
  ['fail-on-new', '1'],
  ['output', '/elsewhere'],
])('%s: %s is wrong use, with exit code 2 and without reports', async (name, value) => {
  const { run, runs } = stage();
  const result = await run({ [name]: value });
  expect(result.codes).toEqual({ Review: 0, Results: 0, Verdict: 2 });
  expect(result.used).toEqual({});
  expect(runs()).toEqual([]);
});

test('lines of a page are no commands to the runner', async () => {
  const { run } = stage(0, { reports: false });
  const logs = [await run({}), await run({})].map(({ logs: { Review = '' } }) => Review);
  const tokens = logs.map((log) => {
    const [, token] =
      /^::stop-commands::(\w{32})\n.*\n::error::written on a page\n\n::\1::\n$/s.exec(log) ?? [];
    expect(token, log).toBeDefined();
    return token;
  });
  expect(tokens[0]).not.toBe(tokens[1]);
});

test('a report of an earlier job is not taken for one of this', async () => {
  const { run, workspace } = stage(3, { reports: false });
  mkdirSync(join(workspace, 'redpen-report'), { recursive: true });
  for (const name of ['report.md', 'report.json', 'report.sarif', 'report.html'])
    writeFileSync(join(workspace, 'redpen-report', name), 'old');
  const result = await run({ comment: 'true', sarif: 'true' });
  expect(result.codes).toEqual({ Review: 0, Results: 0, Comment: 0, Verdict: 3 });
  expect(result.summary).toBe('');
  expect(result.outputs).toMatchObject({ verdict: '', report: '' });
  expect(result.logs.Comment).toBe('There is no report to comment with.\n');
  expect(Object.keys(result.used)).toEqual(['actions/upload-artifact@v4']);
});

test('the comment is made in the container, which gets the event and the token', async () => {
  const github = await startGithub();
  onTestFinished(github.close);
  const { env, run, runs } = stage(1);
  env.GITHUB_API_URL = `${github.url}/api/v3`;
  const result = await run({ comment: 'true', 'comment-key': 'shop', env: 'SHOP_PASSWORD, $(x), PATH=' });
  expect(result.codes).toEqual({ Review: 0, Results: 0, Comment: 0, Verdict: 1 });
  expect(result.logs.Comment).toBe('The report is a new comment on pull request 7.\n');
  expect(github.comments.map(({ body }) => body)).toEqual(['<!-- redpen-report: shop -->\n## 1 finding']);
  const [review, ...scripts] = runs();
  expect(review!.env.REVIEW_COMMENT_TOKEN).toBeUndefined();
  expect(scripts.at(-1)!.env.REVIEW_COMMENT_TOKEN).toBe('token');
  const again = await run({ comment: 'true', 'comment-key': 'shop', annotations: 'false' });
  expect(again.logs.Comment).toBe('The comment on pull request 7 is up to date.\n');
});

test('a comment that cannot be made fails neither the upload nor the exit code', async () => {
  const github = await startGithub();
  onTestFinished(github.close);
  const { env, run } = stage(0);
  env.GITHUB_API_URL = `${github.url}/api/v3`;
  const forked = await run({ comment: 'true', 'github-token': 'reader', annotations: 'false' });
  expect(forked.conclusion).toBe('success');
  expect(forked.logs.Comment).toMatch(/^::warning title=Redpen::The token may not comment/);
  const wrong = await run({ comment: 'true', 'github-token': 'wrong', annotations: 'false' });
  expect(wrong.codes).toEqual({ Review: 0, Results: 0, Comment: 2, Verdict: 0 });
  expect(wrong.conclusion).toBe('failure');
  expect(wrong.logs.Comment).toMatch(/^::error title=Redpen::The report was not put on the request/);
  expect(Object.keys(wrong.used)).toEqual(['actions/upload-artifact@v4']);
});

test('an upload to code scanning that a fork may not do does not fail the job', async () => {
  const failing = 'github/codeql-action/upload-sarif@v3';
  const { conclusion, used } = await stage(0).run({ sarif: 'true', annotations: 'false' }, { failing });
  expect([conclusion, Object.keys(used)]).toEqual(['success', ['actions/upload-artifact@v4', failing]]);
});

test('a login that does not exist is no volume, which docker would make as a folder', async () => {
  const { run, runs } = stage(0, { reports: false });
  await run({ auth: 'missing.json' });
  expect(runs()[0]!.volumes.filter((volume) => volume.includes('missing'))).toEqual([]);
});

test('a login in a secret becomes a file that only the review can read, and that does not stay', async () => {
  const { env, run, runs, work } = stage(0, { reports: false });
  const login = '\n{ "basic": { "username": "u", "password": "$(touch x)\'\\"" } }';
  env.STAND_IN_READS = '--auth=';
  await run({ auth: login });
  const [review] = runs();
  const path = review!.args.find((arg) => arg.startsWith('--auth='))!.slice('--auth='.length);
  expect(dirname(path)).toBe(join(work, 'temp'));
  expect(review!.volumes).toContain(`${path}:${path}:ro`);
  expect(review!.read).toEqual({ text: `${login}\n`, mode: 0o600 });
  expect(existsSync(path)).toBe(false);
  expect(JSON.stringify(review!.args)).not.toContain('password');
});

test('only named variables reach the review in the container', async () => {
  const { env, run, runs } = stage(0, { reports: false });
  Object.assign(env, { SHOP_PASSWORD: 'a b', OTHER_SECRET: 'x' });
  await run({ env: 'SHOP_PASSWORD' });
  const [review] = runs();
  expect(review!.env).toMatchObject({ SHOP_PASSWORD: 'a b', HOME: '/tmp', REDPEN_BROWSER_SANDBOX: 'off' });
  expect(review!.env).not.toHaveProperty('OTHER_SECRET');
});

test('a checkout runs with the same arguments, from the folder of the job', async () => {
  const { env, run, work, workspace, made } = stage(1);
  const source = join(work, 'source');
  mkdirSync(join(source, 'node_modules/.bin'), { recursive: true });
  symlinkSync(process.execPath, join(source, 'node_modules/.bin/node'));
  writeFileSync(
    join(source, 'bootstrap.mjs'),
    `import { cpSync, writeFileSync } from 'node:fs';
    const args = process.argv.slice(2);
    cpSync(${JSON.stringify(made)}, args.find((a) => a.startsWith('--output=')).slice(9), { recursive: true });
    writeFileSync('args.json', JSON.stringify(args));
    process.exitCode = 1;`,
  );
  delete env.STAND_IN_LOG;
  const result = await run({ image: '', source });
  expect(result.codes).toEqual({ Review: 0, Results: 0, Verdict: 1 });
  expect(result.outputs).toMatchObject({ verdict: 'findings', new: '1' });
  expect(JSON.parse(readFileSync(join(workspace, 'args.json'), 'utf8'))).toEqual([
    'redpen',
    'review',
    '--preset=launch',
    '--format=text,json,html,junit,sarif,markdown,csv,codequality',
    `--output=${workspace}/redpen-report`,
    '--',
    'http://site.example/',
  ]);
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a job that is cancelled with %s lets the review end',
  async (signal) => {
    const { env, run, work, workspace } = stage();
    env.STAND_IN_WAITS = join(work, 'waits');
    let pid = 0;
    const ended = run(
      {},
      {
        started: (name, started) => {
          if (name === 'Review') pid = started;
        },
      },
    );
    await until(() => existsSync(env.STAND_IN_WAITS!), 'the review to run');
    process.kill(pid, signal);
    const result = await ended;
    expect(result.codes).toEqual({ Review: 0, Results: 0, Verdict: 130 });
    expect(existsSync(join(workspace, 'redpen-report/report.json'))).toBe(true);
  },
);
