import { z } from 'zod';
import type { Issue } from '../../../lib/errors.ts';
import type { Fields } from '../../../lib/json.ts';
import type { CheckUrl } from '../../../outside/net/ssrf-guard.ts';
import { agentBehavior } from '../../../shapes/agents/agent-behavior.ts';
import { withOtherProblems } from '../../../shapes/all-problems.ts';
import { agentId } from '../../../shapes/id-fields.ts';
import { documentedAs, named } from '../../../shapes/named.ts';
import { gatherNames, gatherOptions } from '../../gather/index.ts';
import { responseAdapterNames } from '../../respond/index.ts';
import { publicServiceIds } from '../../services/index.ts';
import { reservedKeyIssues } from './reserved-keys.ts';
import { ruleIssues } from './rules.ts';

const { rawInstructions, instructions, ...behavior } = agentBehavior.shape;

const optionsByStrategy = Object.fromEntries(
  [...gatherOptions].map(([name, options]) => [name, options.optional()] as const),
);

/** Fields of each version; unknown fields pass through. */
export const versionFields = z.looseObject({
  rawInstructions,
  instructions,
  metadata: z.record(z.string(), z.unknown()).optional().describe('Arbitrary data; some keys are reserved.'),
  ...behavior,
  contextGathering: named(
    'AgentContextGathering',
    behavior.contextGathering.unwrap().extend({
      strategies: z.array(z.enum(gatherNames)).min(1).optional().describe('Defaults to none.'),
      strategyOptions: z.looseObject(optionsByStrategy).optional().describe('Keyed by strategy name.'),
    }),
  ).optional(),
  execution: named(
    'AgentExecution',
    behavior.execution.unwrap().extend({
      serviceId: z.enum(publicServiceIds).optional().describe('Required with service and service+ai.'),
    }),
  ).optional(),
  response: behavior.response
    .unwrap()
    .extend({ responseAdapter: z.enum(responseAdapterNames).optional() })
    .optional(),
});

export const agentFields = z.looseObject({
  name: z.string().min(1),
  description: z.string().optional(),
  enabled: z.boolean().optional().describe('Defaults to true.'),
  ...versionFields.shape,
});

type LooseSchema = z.ZodObject<z.core.$ZodLooseShape, z.core.$loose>;

/** Adds the rules between fields to a schema. They depend on the SSRF guard, whose allowed hosts the operator sets. */
function withRules(fields: LooseSchema, moreIssues: (agent: Fields) => Issue[]) {
  const made = new WeakMap<CheckUrl, z.ZodType>();
  return (checkUrl: CheckUrl): z.ZodType => {
    const known = made.get(checkUrl);
    if (known) return known;
    const schema = fields.superRefine((agent, context) => {
      for (const { path, message } of [...moreIssues(agent), ...ruleIssues(agent, checkUrl)]) {
        context.addIssue({ code: 'custom', path, message });
      }
    }, withOtherProblems);
    made.set(checkUrl, schema);
    return schema;
  };
}

/** Validates a new agent. */
export const newAgent = withRules(agentFields, reservedKeyIssues);

/** Fields of the agent that belong to no version. */
const IDENTITY = ['name', 'description', 'enabled'];

/** Validates a new version, merged from the current version and the change. */
export const newVersion = withRules(versionFields, (agent) => [
  ...reservedKeyIssues(agent),
  ...IDENTITY.filter((key) => Object.hasOwn(agent, key)).map((key) => ({
    path: [key],
    code: 'custom',
    message: `${key} is not part of a version and cannot be set here.`,
  })),
]);

/**
 * Accepts any object and only documents its fields. The handler validates them with `newAgent` or `newVersion`, which
 * need the guard.
 */
const shownAs = (fields: z.ZodType) => documentedAs(fields, z.looseObject({}));

export const agentDraft = shownAs(agentFields);

/** A change of an agent. It is validated after the merge with the current version. */
export const versionChange = z
  .looseObject({ agentId })
  .refine((data) => Object.keys(data).some((key) => key !== 'agentId'), {
    ...withOtherProblems,
    error: 'At least one field to change is required.',
  });

export const versionDraft = shownAs(versionFields.extend({ agentId }));
