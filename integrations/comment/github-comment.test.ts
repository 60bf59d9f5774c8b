import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serveHost } from '../../test/fakes/comment-server.ts';
import { startGithub } from '../../test/fakes/github-server.ts';
import { listOf } from './host-request.ts';
import { postComment } from './post-comment.ts';

const MARKER = '<!-- redpen-report -->';
const bot = { login: 'github-actions[bot]', type: 'Bot' } as const;

/** A job for an event in acme/site, with a report, and a server that speaks GitHub's API. */
async function stage(event: object = { pull_request: { number: 7 } }, env: NodeJS.ProcessEnv = {}) {
  const github = await startGithub();
  const folder = mkdtempSync(join(tmpdir(), 'redpen-comment-'));
  onTestFinished(async () => {
    await github.close();
    rmSync(folder, { recursive: true });
  });
  const report = join(folder, 'report.md');
  const write = (text: string) => writeFileSync(report, `${MARKER}\n${text}\n`);
  write('## 3 findings');
  writeFileSync(join(folder, 'event.json'), JSON.stringify(event));
  const waits: number[] = [];
  const post = (more: NodeJS.ProcessEnv = {}) =>
    postComment(
      report,
      {
        GITHUB_ACTIONS: 'true',
        GITHUB_API_URL: `${github.url}/api/v3`,
        GITHUB_EVENT_NAME: 'test',
        GITHUB_EVENT_PATH: join(folder, 'event.json'),
        GITHUB_REPOSITORY: 'acme/site',
        REVIEW_COMMENT_TOKEN: 'token',
        ...env,
        ...more,
      },
      async (ms) => {
        waits.push(ms);
      },
    );
  return { github, folder, write, post, waits };
}

test('the first run creates the comment, and later runs edit it', async () => {
  const { github, write, post } = await stage();
  github.comments.push({ id: 1, body: 'Nice!', user: { login: 'mona', type: 'User' } });
  expect(await post()).toEqual({
    code: 0,
    level: 'info',
    message: 'The report is a new comment on pull request 7.',
  });
  write('## 1 finding');
  expect((await post()).message).toBe('The comment on pull request 7 has the new report.');
  expect(github.comments.map(({ body }) => body)).toEqual(['Nice!', `${MARKER}\n## 1 finding`]);
  github.requests.length = 0;
  expect((await post()).message).toBe('The comment on pull request 7 is up to date.');
  expect(github.requests.map(({ method }) => method)).toEqual(['GET']);
});

test('the comment is found on any page of the list', async () => {
  const { github, post } = await stage();
  for (let id = 1; id <= 250; id++) github.comments.push({ id, body: `Comment ${id}`, user: bot });
  github.comments[229]!.body = `${MARKER}\r\nold`;
  expect((await post()).message).toBe('The comment on pull request 7 has the new report.');
  expect(github.comments).toHaveLength(250);
  expect(github.comments[229]!.body).toBe(`${MARKER}\n## 3 findings`);
  expect(github.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'PATCH']);
});

test('each key has a comment of its own', async () => {
  const { github, post } = await stage();
  await post({ REVIEW_COMMENT_KEY: 'shop' });
  await post({ REVIEW_COMMENT_KEY: 'docs' });
  await post();
  await post({ REVIEW_COMMENT_KEY: 'docs' });
  expect(github.comments.map(({ body }) => body.split('\n')[0])).toEqual([
    '<!-- redpen-report: shop -->',
    '<!-- redpen-report: docs -->',
    MARKER,
  ]);
});

test('a comment in which a person wrote the marker is left alone', async () => {
  const { github, post } = await stage();
  github.comments.push({ id: 1, body: `${MARKER} 0 findings`, user: { login: 'mallory', type: 'User' } });
  expect((await post()).message).toBe('The report is a new comment on pull request 7.');
  expect((await post({ REVIEW_COMMENT_TOKEN: 'personal' })).message).toBe(
    'The comment on pull request 7 is up to date.',
  );
  expect(github.comments[0]!.body).toBe(`${MARKER} 0 findings`);
});

test('the token of a person edits the comment of that person', async () => {
  const { github, post } = await stage();
  github.comments.push({ id: 1, body: `${MARKER} old`, user: { login: 'mona', type: 'User' } });
  await post({ REVIEW_COMMENT_TOKEN: 'personal' });
  expect(github.comments.map(({ body }) => body)).toEqual([`${MARKER}\n## 3 findings`]);
});

test('every request carries the token and the version of the API', async () => {
  const { github, post } = await stage();
  await post();
  await post();
  expect(github.requests.length).toBeGreaterThan(2);
  for (const { headers } of github.requests) {
    expect(headers.authorization).toBe('Bearer token');
    expect(headers['x-github-api-version']).toBe('2022-11-28');
  }
});

test('a next page on another host does not get the token', async () => {
  const other = await startGithub();
  const host = await serveHost(() => ({
    status: 200,
    json: [1],
    headers: { link: `<${other.url}/more>; rel="next"` },
  }));
  onTestFinished(async () => {
    await host.close();
    await other.close();
  });
  const entries: unknown[] = [];
  for await (const entry of listOf(`${host.url}/list`, { authorization: 'Bearer token' }))
    entries.push(entry);
  expect(entries).toEqual([1]);
  expect(other.requests).toEqual([]);
});

test('a server error is repeated with growing waits', async () => {
  const { github, post, waits } = await stage();
  github.refusals.push(
    { at: 'GET /', status: 502 },
    { at: 'GET /', status: 500 },
    { at: 'POST /', status: 503 },
  );
  expect((await post()).message).toBe('The report is a new comment on pull request 7.');
  expect(waits).toEqual([1_000, 2_000, 4_000]);
  expect(github.comments).toHaveLength(1);
});

test('a creation whose answer is lost is not repeated', async () => {
  const { github, post } = await stage();
  github.refusals.push({ at: 'POST /', status: 502, isDone: true });
  expect((await post()).message).toBe('The comment on pull request 7 is up to date.');
  expect(github.comments).toHaveLength(1);
});

test('a rate limit is waited for as GitHub asks', async () => {
  const { github, post, waits } = await stage();
  const inSeconds = (seconds: number) => String(Math.ceil(Date.now() / 1_000) + seconds);
  github.refusals.push(
    { at: 'POST /', status: 403, headers: { 'retry-after': '7' } },
    {
      at: 'POST /',
      status: 429,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inSeconds(90) },
    },
    { at: 'POST /', status: 403, message: 'You have exceeded a secondary rate limit. Please wait.' },
  );
  expect((await post()).message).toBe('The report is a new comment on pull request 7.');
  expect(waits).toEqual([7_000, expect.any(Number), 60_000]);
  expect(waits[1]).toBeGreaterThan(60_000);
  expect(waits[1]).toBeLessThanOrEqual(91_000);
});

test('a limit that lasts longer than a job should, and a host that stays down, are warnings', async () => {
  const { github, post, waits } = await stage();
  github.refusals.push({ at: 'GET /', status: 429, headers: { 'retry-after': '3600' } });
  expect(await post()).toMatchObject({ code: 0, level: 'warning' });
  expect(waits).toEqual([]);
  for (let index = 0; index < 9; index++) github.refusals.push({ at: 'GET /', status: 503 });
  expect(await post()).toMatchObject({ code: 0, level: 'warning' });
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
});

test('all waits together are no longer than five minutes', async () => {
  const { github, post, waits } = await stage();
  for (let index = 0; index < 4; index++)
    github.refusals.push({ at: 'GET /', status: 429, headers: { 'retry-after': '120' } });
  expect(await post()).toMatchObject({ code: 0, level: 'warning' });
  expect(waits).toEqual([120_000, 120_000]);
});

test('a host that does not answer is a warning', async () => {
  const { github, post, waits } = await stage();
  await github.close();
  expect(await post()).toMatchObject({
    code: 0,
    level: 'warning',
    message: expect.stringContaining('no answer'),
  });
  expect(waits).toHaveLength(4);
});

test('the read-only token of a fork is a warning', async () => {
  const { github, post, waits } = await stage();
  expect(await post({ REVIEW_COMMENT_TOKEN: 'reader' })).toEqual({
    code: 0,
    level: 'warning',
    message:
      'The token may not comment, as is usual for requests from forks. POST /api/v3/repos/acme/site/issues/7/comments: 403 Resource not accessible by integration',
  });
  expect(waits).toEqual([]);
  expect(github.comments).toEqual([]);
});

test.each([
  [{ REVIEW_COMMENT_TOKEN: 'wrong' }, '401 Bad credentials'],
  [{ GITHUB_REPOSITORY: 'acme/other' }, '404 Not Found'],
  [{ REVIEW_PULL_REQUEST: '8' }, '404 Not Found'],
  [{ REVIEW_PULL_REQUEST: 'seven' }, 'The number of the pull request is not a number.'],
  [{ REVIEW_COMMENT_TOKEN: '' }, 'There is no token to comment with.'],
  [{ REVIEW_COMMENT_KEY: '-->' }, 'The key of a comment'],
  [{ GITHUB_REPOSITORY: 'acme' }, 'GITHUB_REPOSITORY is not OWNER/NAME.'],
])('a mistake in the workflow is an error, and is not repeated: %j', async (env, message) => {
  const { post, waits } = await stage();
  expect(await post(env)).toEqual({ code: 2, level: 'error', message: expect.stringContaining(message) });
  expect(waits).toEqual([]);
});

const run = { head_sha: 'abc', head_branch: 'topic', head_repository: { owner: { login: 'mona' } } };

test.each([
  ['pull_request', { pull_request: { number: 7 } }],
  ['pull_request_target', { number: 7, pull_request: { number: 7 } }],
  ['issue_comment', { issue: { number: 7, pull_request: { url: 'x' } } }],
  [
    'workflow_run',
    {
      repository: { id: 1 },
      workflow_run: {
        ...run,
        pull_requests: [
          { number: 99, base: { repo: { id: 2 } } },
          { number: 7, base: { repo: { id: 1 } } },
        ],
      },
    },
  ],
  ['workflow_run', { repository: { id: 1 }, workflow_run: { ...run, pull_requests: [] } }],
])('the event %s leads to its pull request', async (GITHUB_EVENT_NAME, event) => {
  const { github, post } = await stage(event, { GITHUB_EVENT_NAME });
  github.pulls.push(
    { number: 5, head: { sha: 'other' }, label: 'mona:topic' },
    { number: 7, head: { sha: 'abc' }, label: 'mona:topic' },
  );
  expect((await post()).message).toBe('The report is a new comment on pull request 7.');
});

test.each([
  ['push', { ref: 'refs/heads/main' }],
  ['workflow_dispatch', { inputs: {} }],
  ['issue_comment', { issue: { number: 7 } }],
  ['workflow_run', { repository: { id: 1 }, workflow_run: { ...run, pull_requests: [] } }],
  ['schedule', {}],
])('the event %s without a pull request does nothing', async (GITHUB_EVENT_NAME, event) => {
  const { github, post } = await stage(event, { GITHUB_EVENT_NAME });
  expect(await post()).toEqual({
    code: 0,
    level: 'info',
    message: `This run belongs to no pull request (event ${GITHUB_EVENT_NAME}), so there is nothing to comment on.`,
  });
  expect(github.comments).toEqual([]);
});

test('a workflow that knows the number may give it', async () => {
  const { post } = await stage({}, { REVIEW_PULL_REQUEST: '7' });
  expect((await post()).message).toBe('The report is a new comment on pull request 7.');
});

test('without a report there is no comment', async () => {
  const { folder, github, post } = await stage();
  rmSync(join(folder, 'report.md'));
  expect(await post()).toMatchObject({
    code: 0,
    message: expect.stringContaining('There is no report to comment with'),
  });
  expect(github.comments).toEqual([]);
});

test('a report of any length fits', async () => {
  const { github, write, post } = await stage();
  write('| a | b |\n'.repeat(20_000));
  expect((await post()).code).toBe(0);
  expect(github.comments[0]!.body).toContain('This comment is at the limit of its length.');
});
