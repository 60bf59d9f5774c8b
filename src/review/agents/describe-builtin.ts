import { z } from 'zod';
import { asObject, type Fields } from '../../lib/json.ts';
import type { Models } from '../../outside/models/models.ts';
import { runOptions } from '../../shapes/agents/service-options.ts';
import { usesBrowser } from '../gather/index.ts';
import { services } from '../services/index.ts';
import type { BuiltinAgent } from './builtin/builtin-agent.ts';
import { rulesOfAgent } from './rule-catalogue.ts';

export const modelNeeds = ['none', 'optional', 'required'] as const;
export const durations = ['short', 'long'] as const;

/** The needs and abilities of a built-in agent, apart from the state of this service. */
export async function describeBuiltin(agent: BuiltinAgent) {
  const { contextGathering, execution, input } = agent.behavior;
  const { executionStrategy = 'ai', serviceId } = execution ?? {};
  const service = services.find(({ id }) => id === serviceId);
  const needsModel = needOf(execution ?? {});
  const options = Object.entries(runOptions.shape).find(([name]) => name === serviceId)?.[1];
  const { $schema, ...schema } = options ? z.toJSONSchema(options, { io: 'input' }) : {};
  return {
    needsBrowser: usesBrowser(contextGathering?.strategies),
    needsModel,
    needsInstructions: false as const,
    inputRequirements: asObject(input?.inputRequirements),
    variables: input?.variableKeys ?? [],
    gatherStrategies: contextGathering?.strategies ?? ['none'],
    executionStrategy,
    ...(serviceId !== undefined && { serviceId }),
    ...(options && { options: schema as Fields }),
    issueTypes: [...(await rulesOfAgent(agent.behavior)).keys()].sort(),
    addsOwnIssueTypes: needsModel !== 'none',
    duration: service?.isQuick && needsModel !== 'required' ? ('short' as const) : ('long' as const),
  };
}

function needOf({ executionStrategy = 'ai', modelOptional }: Fields): (typeof modelNeeds)[number] {
  if (executionStrategy === 'service') return 'none';
  return modelOptional === true ? 'optional' : 'required';
}

/** A sentence if the agent cannot be used now. */
export function whyUnavailable(
  { agentId, behavior }: BuiltinAgent,
  state: { enabled: boolean; needsBrowser: boolean; needsModel: (typeof modelNeeds)[number] },
  service: { missingBrowser: string | undefined; models: Pick<Models, 'choose'> },
): string | undefined {
  if (!state.enabled) return `The agent ${agentId} is disabled for this API key.`;
  if (state.needsBrowser && service.missingBrowser !== undefined) return service.missingBrowser;
  if (state.needsModel !== 'required') return undefined;
  try {
    service.models.choose(behavior.execution?.aiConfig);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
