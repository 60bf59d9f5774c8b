import type { Tx } from '../../db/tables.ts';
import type { Jobs } from '../../jobs/queue.ts';
import { invalidArgument } from '../../lib/errors.ts';
import { newReviewId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import type { AgentBehavior } from '../../shapes/agents/agent-behavior.ts';
import type { ReviewPreset } from '../../shapes/agents/review.ts';
import { requireAgentGroup } from '../../store/agents/agent-groups.ts';
import { insertReview } from '../../store/agents/reviews.ts';
import type { LoadedAgent } from '../agents/load-agent.ts';
import { PRESETS } from '../agents/presets.ts';
import { choicesOf } from '../reviews/sent-choices.ts';
import { type Dispatch, insertRun, requireRunnable } from './dispatch-run.ts';
import { partOf, refuseForeignFields } from './run-request.ts';

/** Executions of one review: each page is open for all of its agents at once. */
export const MAX_EXECUTIONS = 100;

export interface ReviewDispatch
  extends Pick<Dispatch, 'organizationId' | 'documentId' | 'ranBy' | 'request' | 'auth'> {
  urls: readonly string[];
  agents?: readonly string[] | undefined;
  preset?: ReviewPreset | undefined;
  groupId?: string | undefined;
}

/** Inserts a review with an execution for each agent and URL, and enqueues it in the same transaction. */
export async function dispatchReview(
  tx: Tx,
  jobs: Jobs,
  scope: Scope,
  dispatch: ReviewDispatch,
): Promise<{ reviewId: string; executionIds: string[] }> {
  const { preset, groupId, organizationId, documentId, ranBy, request, auth } = dispatch;
  const { urls, agents } = await checkReview(tx, scope, dispatch);
  const startedAt = Date.now();
  const reviewId = newReviewId(startedAt);
  const { crossPageExecute, maxUrlsToProcess, deviceType } = request;
  await insertReview(tx, scope, {
    reviewId,
    startedAt,
    request: {
      urls,
      agents: agents.map(({ agentId, name }) => ({ agentId, name })),
      ...{ crossPageExecute, maxUrlsToProcess, deviceType },
      ...(preset && { preset }),
      ...(groupId !== undefined && { groupId }),
      ...choicesOf(request),
    },
  });
  const executionIds: string[] = [];
  for (const url of urls) {
    for (const agent of agents) {
      const { agentId } = agent;
      const own = partOf(request, agent.behavior as AgentBehavior);
      const run = {
        agentId,
        url,
        organizationId,
        documentId,
        ranBy,
        trigger: 'standalone',
        request: own,
        auth,
      } as const;
      executionIds.push(await insertRun(tx, scope, run, agent, reviewId));
    }
  }
  await jobs.enqueue(tx, 'review.run', { ...scope, reviewId });
  return { reviewId, executionIds };
}

/** The pages and agents of a review, each once. Throws if they cannot be reviewed as the request says. */
export async function checkReview(
  tx: Tx,
  scope: Scope,
  dispatch: ReviewDispatch,
): Promise<{ urls: string[]; agents: LoadedAgent[] }> {
  const urls = [...new Set(dispatch.urls.map((url) => new URL(url).href))];
  const agentIds = await agentsOf(tx, scope, dispatch);
  const executions = agentIds.length * urls.length;
  if (executions > MAX_EXECUTIONS) {
    throw invalidArgument(
      `A review has at most ${MAX_EXECUTIONS} executions, one for each agent and URL; these would be ${executions}.`,
    );
  }
  const agents: LoadedAgent[] = [];
  for (const agentId of agentIds) agents.push(await requireRunnable(tx, scope, agentId));
  refuseForeignFields(
    agents.map(({ behavior }) => behavior as AgentBehavior),
    dispatch.request,
  );
  return { urls, agents };
}

/** The agents that a review names, each once: one by one, by a preset and by a group. */
async function agentsOf(
  tx: Tx,
  scope: Scope,
  { agents = [], preset, groupId }: ReviewDispatch,
): Promise<string[]> {
  const ofGroup = groupId === undefined ? [] : (await requireAgentGroup(tx, scope, groupId)).agentIds;
  const all = [...new Set([...agents, ...(preset ? PRESETS[preset] : []), ...ofGroup])];
  if (all.length === 0) throw invalidArgument(`The group ${groupId} has no agents.`);
  return all;
}
