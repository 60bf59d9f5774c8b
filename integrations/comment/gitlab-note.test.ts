import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startGitlab } from '../../test/fakes/gitlab-server.ts';
import { postComment } from './post-comment.ts';

const MARKER = '<!-- redpen-report -->';

/** A job of a merge request pipeline with a report, and a server that speaks GitLab's API. */
async function stage() {
  const gitlab = await startGitlab();
  const folder = mkdtempSync(join(tmpdir(), 'redpen-note-'));
  onTestFinished(async () => {
    await gitlab.close();
    rmSync(folder, { recursive: true });
  });
  const report = join(folder, 'report.md');
  writeFileSync(report, `${MARKER}\n## 3 findings\n`);
  const waits: number[] = [];
  const post = (more: NodeJS.ProcessEnv = {}) =>
    postComment(
      report,
      {
        GITLAB_CI: 'true',
        CI_API_V4_URL: `${gitlab.url}/api/v4`,
        CI_PROJECT_ID: '99',
        CI_MERGE_REQUEST_PROJECT_ID: '34',
        CI_MERGE_REQUEST_IID: '12',
        REVIEW_COMMENT_TOKEN: 'token',
        ...more,
      },
      async (ms) => {
        waits.push(ms);
      },
    );
  return { gitlab, post, waits };
}

test('the note is created once and then edited, on whichever page of the list it is', async () => {
  const { gitlab, post } = await stage();
  for (let id = 1; id <= 150; id++)
    gitlab.notes.push({ id, body: `Note ${id}`, system: id % 2 === 0, author: { id: 5 } });
  expect((await post()).message).toBe('The report is a new comment on merge request !12.');
  expect(await post({ CI_JOB_URL: 'https://gitlab.example/jobs/1' })).toEqual({
    code: 0,
    level: 'info',
    message: 'The comment on merge request !12 has the new report.',
  });
  expect(gitlab.notes).toHaveLength(151);
  expect(gitlab.notes.at(-1)!.body).toBe(
    `${MARKER}\n## 3 findings\n\n[All reports of this run](https://gitlab.example/jobs/1)\n`,
  );
  for (const { headers } of gitlab.requests) expect(headers['private-token']).toBe('token');
});

test('notes of other people, and of the system, are left alone', async () => {
  const { gitlab, post } = await stage();
  gitlab.notes.push({ id: 1, body: `${MARKER} fine`, system: false, author: { id: 8 } });
  gitlab.notes.push({ id: 2, body: `${MARKER} changed`, system: true, author: { id: 5 } });
  expect((await post()).message).toBe('The report is a new comment on merge request !12.');
  expect(gitlab.notes.map(({ body }) => body)).toEqual([
    `${MARKER} fine`,
    `${MARKER} changed`,
    `${MARKER}\n## 3 findings`,
  ]);
});

test('a server error and a rate limit are waited for', async () => {
  const { gitlab, post, waits } = await stage();
  const reset = String(Math.ceil(Date.now() / 1_000) + 30);
  gitlab.refusals.push(
    { at: 'GET /api', status: 502 },
    { at: 'POST /api', status: 429, headers: { 'retry-after': '9' } },
    { at: 'POST /api', status: 429, headers: { 'ratelimit-remaining': '0', 'ratelimit-reset': reset } },
    { at: 'POST /api', status: 500, isDone: true },
  );
  expect((await post()).message).toBe('The comment on merge request !12 is up to date.');
  expect(waits).toEqual([1_000, 9_000, expect.any(Number), 8_000]);
  expect(gitlab.notes).toHaveLength(1);
});

test('a token that may not write is a warning, a wrong token an error', async () => {
  const { post } = await stage();
  expect(await post({ REVIEW_COMMENT_TOKEN: 'reader' })).toMatchObject({ code: 0, level: 'warning' });
  expect(await post({ REVIEW_COMMENT_TOKEN: 'wrong' })).toMatchObject({ code: 2, level: 'error' });
});

test('a pipeline without a merge request, or without a token as in a fork, does nothing', async () => {
  const { gitlab, post } = await stage();
  expect(await post({ CI_MERGE_REQUEST_IID: '' })).toMatchObject({
    code: 0,
    level: 'info',
    message: expect.stringContaining('belongs to no merge request'),
  });
  expect(await post({ REVIEW_COMMENT_TOKEN: '' })).toMatchObject({
    code: 0,
    level: 'info',
    message: expect.stringContaining('no token is set'),
  });
  expect(gitlab.requests).toEqual([]);
});
