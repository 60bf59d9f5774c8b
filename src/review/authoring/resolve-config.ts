import { z } from 'zod';
import { ApiError } from '../../lib/errors.ts';
import { shorten } from '../../lib/text/cut-text.ts';
import { inferAgentConfig } from '../agents/infer-agent-config.ts';
import { choosableStrategies } from '../gather/index.ts';
import { lenientText, requiredObject } from '../prompt/finding-schema.ts';
import { choosableService, choosableServices } from '../services/index.ts';
import { askTool, type ToolDeps } from './ask-tool.ts';

export const resolvedConfig = z.object({
  extraction_strategies: z.array(z.string()).describe('Value for `contextGathering.strategies`.'),
  execution_strategy: z.enum(['ai', 'service', 'service+ai', 'stagehand-agent']),
  service_id: z.string().optional().describe('Value for `execution.serviceId`, if a service fits.'),
  reasoning: z.string(),
  strategy_options: z
    .object({
      'computed-styles': z.object({
        selectors: z.array(z.string()),
        properties: z.array(z.string()).optional(),
      }),
    })
    .optional()
    .describe('Value for `contextGathering.strategyOptions`.'),
});
export type ResolvedConfig = z.infer<typeof resolvedConfig>;

const FALLBACK: ResolvedConfig = {
  extraction_strategies: ['web-page-text', 'web-page-html', 'web-page-screenshot'],
  execution_strategy: 'ai',
  reasoning: 'Default configuration applied',
};

const STRATEGIES = choosableStrategies.map(({ name }) => name);
const SERVICES = choosableServices.map(({ id }) => id);
const MAX_SELECTORS = 50;
const MAX_SELECTOR_CHARS = 500;

const answer = requiredObject({
  extraction_strategies: z
    .array(z.string())
    .describe(`What the reviewer must see, as little as will do: any of ${STRATEGIES.join(', ')}.`),
  execution_strategy: z
    .string()
    .describe(
      'ai where a model judges what was gathered; service where one of the services does all that is asked; service+ai where a service does a part and a model the rest; stagehand-agent where the reviewer must click, type or go from page to page.',
    ),
  service_id: lenientText(
    `The service, with service and service+ai: ${SERVICES.join(', ')}. Empty with the others.`,
  ),
  reasoning: z.string().describe('Why, in one or two sentences.'),
  selectors: z.array(z.string()).describe('CSS selectors, with computed-styles; else empty.'),
  properties: z.array(z.string()).describe('CSS properties that matter, with computed-styles; else empty.'),
});

const INSTRUCTIONS = `You are given the instructions of an agent that reviews web pages. Decide what must be gathered of a page for them, and who is to judge.
The strategies: ${choosableStrategies.map(({ name, choice }) => `${name} is ${choice.shows}`).join('; ')}.`;

/**
 * Chooses gather strategies and the execution strategy for instructions. If the model fails, a fallback is returned
 * that suits most agents; no error is thrown.
 */
export async function resolveConfig(
  { instructions, rawInstructions }: { instructions: string; rawInstructions?: string | undefined },
  deps: ToolDeps,
): Promise<ResolvedConfig> {
  if (deps.provider === undefined && !Object.values(deps.models.configured).some(Boolean)) {
    return byRule(instructions);
  }
  try {
    const material = { instructions, 'instructions-as-first-written': rawInstructions };
    return usable(await askTool(deps, { instructions: INSTRUCTIONS, schema: answer, material }));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return FALLBACK;
  }
}

function byRule(instructions: string): ResolvedConfig {
  const { strategies, serviceId, reason, isCertain } = inferAgentConfig(instructions);
  if (!isCertain) return FALLBACK;
  return {
    extraction_strategies: strategies,
    execution_strategy: serviceId === undefined ? 'ai' : 'service',
    ...(serviceId && { service_id: serviceId }),
    reasoning: reason,
  };
}

/** The valid parts of a model's answer. */
function usable(reply: z.infer<typeof answer>): ResolvedConfig {
  const reasoning = shorten(reply.reasoning.trim(), 1_000);
  if (reply.execution_strategy === 'stagehand-agent') {
    return { extraction_strategies: ['none'], execution_strategy: 'stagehand-agent', reasoning };
  }
  const selectors = cleaned(reply.selectors);
  const properties = cleaned(reply.properties);
  const strategies = [...new Set(reply.extraction_strategies)].filter(
    (name) => STRATEGIES.includes(name) && (name !== 'computed-styles' || selectors.length > 0),
  );
  if (strategies.length === 0) return FALLBACK;
  const serviceId = choosableService(reply.service_id)?.id;
  const strategyName = reply.execution_strategy;
  const isService = serviceId !== undefined && (strategyName === 'service' || strategyName === 'service+ai');
  return {
    extraction_strategies: strategies,
    execution_strategy: isService ? strategyName : 'ai',
    ...(isService && { service_id: serviceId }),
    reasoning,
    ...(strategies.includes('computed-styles') && {
      strategy_options: {
        'computed-styles': { selectors, ...(properties.length > 0 && { properties }) },
      },
    }),
  };
}

const cleaned = (list: readonly string[]): string[] =>
  [...new Set(list.map((text) => text.trim()))]
    .filter((text) => text !== '' && text.length <= MAX_SELECTOR_CHARS)
    .slice(0, MAX_SELECTORS);
