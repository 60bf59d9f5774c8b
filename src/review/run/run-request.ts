import type { z } from 'zod';
import { allowHostHint } from '../../lib/allow-host-hint.ts';
import { type Issue, invalidRequest } from '../../lib/errors.ts';
import type { Fields } from '../../lib/json.ts';
import type { ModelWish } from '../../outside/models/models.ts';
import type { CheckUrl } from '../../outside/net/ssrf-guard.ts';
import type { AgentBehavior } from '../../shapes/agents/agent-behavior.ts';
import type { RunRequest } from '../../shapes/agents/run.ts';
import type { runFields } from '../../shapes/agents/run-fields.ts';

/** Fields of a request that a run of one agent and a review by several have in common. */
export type RunData = z.output<z.ZodObject<typeof runFields>>;

/** The request of a run, as it is stored. */
export function requestOf(data: RunData): RunRequest {
  const { crossPageExecute, maxUrlsToProcess, deviceType, annotationVisibility } = data;
  const { userContext, variables, aiConfig, screenshots, strategyOptions, severities, pages, sitemap } = data;
  return {
    crossPageExecute,
    maxUrlsToProcess,
    deviceType,
    annotationVisibility,
    userContext,
    variables,
    ...(screenshots && { screenshots }),
    ...(strategyOptions && { strategyOptions }),
    ...(severities && { severities }),
    ...(pages && { pages }),
    ...(sitemap && { sitemap }),
    aiConfig,
  };
}

interface Allowed {
  checkUrl: CheckUrl;
  /** The reason if the operator does not allow a model. */
  checkModel(wish: ModelWish): string | undefined;
}

/**
 * Throws INVALID_ARGUMENT for addresses that the service may not connect to, and for a model that the operator does not
 * allow. `under` is the path of the fields in the request.
 */
export function requireAllowed(
  { url, urls = [], aiConfig }: Pick<RunData, 'aiConfig'> & { url?: string; urls?: readonly string[] },
  { checkUrl, checkModel }: Allowed,
  under: readonly string[] = [],
): void {
  const issues = [
    ...(url === undefined ? [] : refusedUrl([...under, 'url'], url, checkUrl)),
    ...urls.flatMap((one, index) => refusedUrl([...under, 'urls', index], one, checkUrl)),
  ];
  if (issues.length > 0) throw invalidRequest(issues);
  const message = aiConfig && checkModel(aiConfig);
  if (message !== undefined)
    throw invalidRequest([{ path: [...under, 'aiConfig'], code: 'refused_model', message }]);
}

function refusedUrl(path: (string | number)[], url: string, checkUrl: CheckUrl): Issue[] {
  const refusal = checkUrl(url);
  if (refusal === undefined) return [];
  const name = path.join('.');
  const message =
    refusal === 'userinfo'
      ? `${name} must not contain a user name or password.`
      : `${name} leads to an address that is not allowed: internal, loopback and link-local hosts are refused. ${allowHostHint(url)}`;
  return [{ path, code: 'refused_url', message }];
}

/**
 * Throws INVALID_ARGUMENT for options of services that no agent runs, and for context fields that none declares, or
 * that an agent declares with another type.
 */
export function refuseForeignFields(
  agents: readonly AgentBehavior[],
  { strategyOptions = {}, userContext }: Pick<RunRequest, 'strategyOptions' | 'userContext'>,
): void {
  const issues = [...foreignOptions(agents, strategyOptions), ...unknownContext(agents, userContext)];
  if (issues.length > 0) throw invalidRequest(issues);
}

const foreignOptions = (agents: readonly AgentBehavior[], options: Fields): Issue[] =>
  Object.keys(options)
    .filter((name) => agents.every(({ execution }) => execution?.serviceId !== name))
    .map((name) => ({
      path: ['strategyOptions', name],
      code: 'unrecognized_key',
      message: `strategyOptions.${name} is for agents that run the service ${name}.`,
    }));

function unknownContext(agents: readonly AgentBehavior[], userContext: Fields): Issue[] {
  const declared = agents.flatMap(({ input }) => input?.userContextFields ?? []);
  return Object.entries(userContext).flatMap(([key, value]): Issue[] => {
    const path = ['userContext', key];
    const types = declared.filter(({ id }) => id === key).map(({ type }) => type);
    if (types.length === 0) {
      const message = `userContext.${key} is not a field that the agent declares.`;
      return [{ path, code: 'unrecognized_key', message }];
    }
    const [wrong] = types.filter((type) => typeof value !== type);
    return wrong === undefined
      ? []
      : [{ path, code: 'invalid_type', message: `userContext.${key} must be a ${wrong}.` }];
  });
}

/** The part of a review's request that concerns one of its agents. */
export function partOf(request: RunRequest, { execution, input }: AgentBehavior): RunRequest {
  const { strategyOptions, userContext, ...rest } = request;
  const declared = new Set((input?.userContextFields ?? []).map(({ id }) => id));
  const own = Object.entries(strategyOptions ?? {}).filter(([name]) => name === execution?.serviceId);
  return {
    ...rest,
    userContext: Object.fromEntries(Object.entries(userContext).filter(([key]) => declared.has(key))),
    ...(own.length > 0 && { strategyOptions: Object.fromEntries(own) }),
  };
}
