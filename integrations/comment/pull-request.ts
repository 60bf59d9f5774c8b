import { readFileSync } from 'node:fs';
import { githubHeaders, githubRepository } from './github-comments.ts';
import { listOf } from './host-request.ts';

interface PullRequest {
  number: number;
  head?: { sha?: string };
  base?: { repo?: { id?: number } };
}

interface WorkflowRun {
  head_sha?: string;
  head_branch?: string | null;
  head_repository?: { owner?: { login?: string } } | null;
  pull_requests?: PullRequest[];
}

interface Event {
  repository?: { id?: number };
  pull_request?: { number?: number };
  issue?: { number?: number; pull_request?: unknown };
  workflow_run?: WorkflowRun;
}

/**
 * The number of the pull request that a job of GitHub Actions belongs to; undefined if it belongs to none. `given`,
 * where the workflow knows the number, wins over the event.
 */
export async function findPullRequest(
  env: NodeJS.ProcessEnv,
  token: string,
  given: string,
): Promise<number | undefined> {
  if (given.trim() !== '') {
    if (!/^[1-9]\d{0,9}$/.test(given.trim()))
      throw new Error('The number of the pull request is not a number.');
    return Number(given);
  }
  const path = env.GITHUB_EVENT_PATH;
  if (!path) return undefined;
  const event = JSON.parse(readFileSync(path, 'utf8')) as Event;
  if (event.pull_request?.number !== undefined) return event.pull_request.number;
  // A comment on a plain issue has no such field.
  if (event.issue?.pull_request) return event.issue.number;
  const run = event.workflow_run;
  return run && ofWorkflowRun(run, event.repository?.id, env, token);
}

/** The event of a run names no pull requests from forks, so they are looked up by their branch. */
async function ofWorkflowRun(
  run: WorkflowRun,
  repositoryId: number | undefined,
  env: NodeJS.ProcessEnv,
  token: string,
): Promise<number | undefined> {
  const own = run.pull_requests?.find(({ base }) => base?.repo?.id === repositoryId);
  if (own) return own.number;
  const owner = run.head_repository?.owner?.login;
  if (!owner || !run.head_branch) return undefined;
  const query = new URLSearchParams({ state: 'open', head: `${owner}:${run.head_branch}`, per_page: '100' });
  for await (const entry of listOf(`${githubRepository(env)}/pulls?${query}`, githubHeaders(token))) {
    const { number, head } = entry as PullRequest;
    if (head?.sha === run.head_sha) return number;
  }
  return undefined;
}
