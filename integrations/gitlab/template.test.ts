import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { startGitlab } from '../../test/fakes/gitlab-server.ts';
import { NODE_COMPILE_CACHE } from '../../test/run/compile-cache.ts';

const folder = import.meta.dirname;

interface Template {
  variables: Record<string, { description: string; value: string }>;
  '.redpen-review': {
    image: { name: string; entrypoint: string[] };
    variables: Record<string, string>;
    script: string[];
    artifacts: {
      when: string;
      paths: string[];
      expose_as: string;
      reports: { junit: string; codequality: string };
    };
  };
  'redpen-review': { extends: string; rules: { if: string; when?: string }[] };
}

const template = parse(readFileSync(join(folder, 'redpen.gitlab-ci.yml'), 'utf8')) as Template;
const job = template['.redpen-review'];

test('the job keeps its reports when it fails, and shows them in the merge request', () => {
  expect(job.artifacts.when).toBe('always');
  expect(job.artifacts.reports).toEqual({
    junit: `${job.variables.REVIEW_OUTPUT}/report.xml`,
    codequality: `${job.variables.REVIEW_OUTPUT}/codequality.json`,
  });
  // GitLab refuses `expose_as` with variables in the paths.
  expect(job.artifacts.paths).toEqual([`${job.variables.REVIEW_OUTPUT}/`]);
  expect(template['redpen-review'].extends).toBe('.redpen-review');
});

test('the job runs the script that the image contains', () => {
  expect(job.script).toEqual(['bash /app/integrations/gitlab/review.sh']);
  expect(readFileSync(join(folder, '../../Dockerfile'), 'utf8')).toContain(
    'COPY integrations ./integrations\n',
  );
});

test('every variable is described, documented, and read by a script or the job', () => {
  const scripts = [
    'review.sh',
    'redpen.gitlab-ci.yml',
    '../review-arguments.sh',
    '../comment/post-comment.ts',
  ];
  const [review = '', own = '', ...others] = scripts.map((file) => readFileSync(join(folder, file), 'utf8'));
  const guide = readFileSync(join(folder, '../../docs/pipelines.md'), 'utf8');
  const read = [review, ...others, own.slice(own.indexOf('.redpen-review:'))].join('\n');
  for (const [name, { description, value }] of Object.entries(template.variables)) {
    expect(description, name).toMatch(/\.$/);
    expect(typeof value, name).toBe('string');
    expect(read).toMatch(new RegExp(`\\b${name}\\b`));
    expect(guide, name).toContain(`\`${name}\``);
  }
});

/** A job in a folder of its own, where `redpen` writes reports and ends with a code. */
async function stage(code: number) {
  const gitlab = await startGitlab();
  const work = mkdtempSync(join(tmpdir(), 'redpen-gitlab-'));
  onTestFinished(async () => {
    await gitlab.close();
    rmSync(work, { recursive: true });
  });
  const [bin, project] = [join(work, 'bin'), join(work, 'project')];
  for (const each of [bin, project]) mkdirSync(each);
  const redpen = join(bin, 'redpen');
  writeFileSync(
    redpen,
    `#!${process.execPath}
    const { writeFileSync } = require('node:fs');
    const args = process.argv.slice(2);
    const output = args.find((arg) => arg.startsWith('--output=')).slice(9);
    writeFileSync('${work}/call.json', JSON.stringify({ args, token: process.env.REVIEW_COMMENT_TOKEN ?? null }));
    if (process.env.WRITES !== 'no') writeFileSync(output + '/report.md', '<!-- redpen-report -->\\nOne');
    process.exitCode = ${code};`,
  );
  chmodSync(redpen, 0o755);
  const run = (env: NodeJS.ProcessEnv) =>
    new Promise<{ code: number | null; log: string }>((resolve, reject) => {
      const child = spawn('bash', [join(folder, 'review.sh')], {
        cwd: project,
        env: {
          PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
          NODE_COMPILE_CACHE,
          TMPDIR: work,
          GITLAB_CI: 'true',
          CI_API_V4_URL: `${gitlab.url}/api/v4`,
          CI_PROJECT_ID: '34',
          CI_MERGE_REQUEST_IID: '12',
          REVIEW_URLS: 'http://site.example/',
          REVIEW_COMMENT_TOKEN: 'token',
          ...env,
        },
      });
      let log = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += chunk));
      child.once('error', reject);
      child.once('close', (ended) => resolve({ code: ended, log }));
    });
  const call = () =>
    JSON.parse(readFileSync(join(work, 'call.json'), 'utf8')) as { args: string[]; token: string | null };
  return { gitlab, work, project, run, call };
}

test.each([0, 1, 3, 130])(
  'the job ends with the exit code %i of the review, after the note',
  async (code) => {
    const { gitlab, run } = await stage(code);
    expect(await run({})).toEqual({ code, log: 'The report is a new comment on merge request !12.\n' });
    expect(gitlab.notes.map(({ body }) => body)).toEqual(['<!-- redpen-report -->\nOne']);
  },
);

test('variables become arguments as they are, and the review does not see the token of the note', async () => {
  const { run, call, project, work } = await stage(0);
  const hostile = '$(touch made)`touch made`\'";touch made\n--config=x';
  await run({
    REVIEW_URLS: 'http://a.example/\nhttp://b.example/*',
    REVIEW_PRESET: hostile,
    REVIEW_RULES: hostile,
    REVIEW_AUTH: '{"a":1}',
    REVIEW_BASELINE: 'base line.json',
  });
  const { args, token } = call();
  expect(args).toEqual([
    'review',
    `--preset=${hostile}`,
    expect.stringMatching(/^--auth=.*redpen-login\.\w+$/),
    `--baseline=${project}/base line.json`,
    `--rule=$(touch made)\`touch made\`'";touch made`,
    '--rule=--config=x',
    '--format=text,json,html,junit,sarif,markdown,csv,codequality',
    `--output=${project}/redpen-report`,
    '--',
    'http://a.example/',
    'http://b.example/*',
  ]);
  expect(token).toBeNull();
  expect(readdirSync(project)).toEqual(['redpen-report']);
  expect(readdirSync(work).sort()).toEqual(['bin', 'call.json', 'project']);
});

test('a report of the repository is not put on the merge request', async () => {
  const { gitlab, project, run } = await stage(3);
  mkdirSync(join(project, 'redpen-report'));
  writeFileSync(join(project, 'redpen-report/report.md'), 'old');
  expect(await run({ WRITES: 'no' })).toEqual({ code: 3, log: '' });
  expect(gitlab.requests).toEqual([]);
});

test('a wrong token fails a job that would pass, but does not hide findings', async () => {
  expect((await (await stage(0)).run({ REVIEW_COMMENT_TOKEN: 'wrong' })).code).toBe(2);
  expect((await (await stage(1)).run({ REVIEW_COMMENT_TOKEN: 'wrong' })).code).toBe(1);
});

test('a switch that is neither true nor false is wrong use', async () => {
  expect(await (await stage(0)).run({ REVIEW_SITEMAP: 'yes' })).toEqual({
    code: 2,
    log: 'The value of --sitemap must be true or false.\n',
  });
});

test('the note can be left out', async () => {
  const { gitlab, run } = await stage(1);
  expect(await run({ REVIEW_COMMENT: 'false' })).toEqual({ code: 1, log: '' });
  expect(gitlab.requests).toEqual([]);
});
