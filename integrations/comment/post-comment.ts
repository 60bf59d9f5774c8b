// Puts the report of a review on a pull or merge request, in one comment that later runs edit:
//   node post-comment.ts FOLDER/report.md
// It runs in jobs of GitHub Actions and of GitLab, and needs Node 24 and no packages.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { bodyOf, checkKey, markerOf } from './comment-body.ts';
import type { CommentHost } from './comment-host.ts';
import { githubComments } from './github-comments.ts';
import { gitlabNotes } from './gitlab-notes.ts';
import { HostFailure, patiently } from './host-request.ts';
import { findPullRequest } from './pull-request.ts';

export interface CommentOutcome {
  code: 0 | 2;
  level: 'info' | 'warning' | 'error';
  message: string;
}

const said = (message: string): CommentOutcome => ({ code: 0, level: 'info', message });
const warned = (message: string): CommentOutcome => ({ code: 0, level: 'warning', message });

/**
 * Creates or edits the comment. The verdict of a review must not depend on the host of the repository: a token that
 * may not write, as for pull requests from forks, and a host that does not answer are warnings. Errors are mistakes
 * in the pipeline, such as a wrong token.
 */
export async function postComment(
  file: string,
  env: NodeJS.ProcessEnv,
  wait: (ms: number) => Promise<void> = sleep,
): Promise<CommentOutcome> {
  try {
    const key = checkKey(env.REVIEW_COMMENT_KEY ?? '');
    const found = await patiently(() => findHost(env), wait);
    if (typeof found === 'string') return said(found);
    let markdown: string;
    try {
      markdown = readFileSync(file, 'utf8');
    } catch {
      return said(`There is no report to comment with: ${file} cannot be read.`);
    }
    return said(await put(found, markerOf(key), bodyOf(markdown, key, runUrlOf(env)), wait));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!(error instanceof HostFailure)) return { code: 2, level: 'error', message };
    if (error.mayPass)
      return warned(`The report was not put on the request, after several tries. ${message}`);
    if (error.status === 403)
      return warned(`The token may not comment, as is usual for requests from forks. ${message}`);
    return { code: 2, level: 'error', message: `The report was not put on the request. ${message}` };
  }
}

/** The place for the comment, or a sentence that says why there is none. */
async function findHost(env: NodeJS.ProcessEnv): Promise<CommentHost | string> {
  const token = env.REVIEW_COMMENT_TOKEN ?? '';
  if (env.GITLAB_CI) {
    const iid = env.CI_MERGE_REQUEST_IID;
    if (!iid) return 'This pipeline belongs to no merge request, so there is nothing to comment on.';
    if (token === '') return 'There is no comment, because no token is set. The pipelines of forks get none.';
    return gitlabNotes(env, token, iid);
  }
  if (token === '') throw new Error('There is no token to comment with.');
  const number = await findPullRequest(env, token, env.REVIEW_PULL_REQUEST ?? '');
  if (number === undefined)
    return `This run belongs to no pull request (event ${env.GITHUB_EVENT_NAME ?? 'unknown'}), so there is nothing to comment on.`;
  return githubComments(env, token, number);
}

const put = (host: CommentHost, marker: string, body: string, wait: (ms: number) => Promise<void>) =>
  patiently(async () => {
    const found = await host.find(marker);
    if (found === undefined) {
      await host.create(body);
      return `The report is a new comment on ${host.place}.`;
    }
    if (found.body.replaceAll('\r\n', '\n').trimEnd() === body.trimEnd())
      return `The comment on ${host.place} is up to date.`;
    await host.edit(found.id, body);
    return `The comment on ${host.place} has the new report.`;
  }, wait);

function runUrlOf(env: NodeJS.ProcessEnv): string | undefined {
  if (env.GITLAB_CI) return env.CI_JOB_URL || undefined;
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  return server && repository && run ? `${server}/${repository}/actions/runs/${run}` : undefined;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { code, level, message } = await postComment(process.argv[2] ?? 'report.md', process.env);
  const line = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const start = process.env.GITHUB_ACTIONS && level !== 'info' ? `::${level} title=Redpen::` : '';
  process.stdout.write(start === '' ? `${message}\n` : `${start}${line}\n`);
  process.exitCode = code;
}
