import { z } from 'zod';
import type { Issue } from '../../../lib/errors.ts';
import { agentBehavior } from '../../../shapes/agents/agent-behavior.ts';
import { withOtherProblems } from '../../../shapes/all-problems.ts';
import { agentId } from '../../../shapes/id-fields.ts';
import { responseAdapterNames } from '../../respond/index.ts';
import { publicServiceIds } from '../../services/index.ts';
import { contextGathering } from './context-gathering.ts';
import { reservedKeyIssues } from './reserved-keys.ts';
import { type JudgeUrl, ruleIssues } from './rules.ts';

const { rawInstructions, instructions, execution, response, ...otherBehavior } = agentBehavior.shape;

/** The fields that each version has; what is not known here passes through. */
const versionFields = z.looseObject({
  rawInstructions,
  instructions,
  metadata: z.record(z.string(), z.unknown()).optional().describe('Free; some keys are reserved.'),
  ...otherBehavior,
  contextGathering: contextGathering.optional(),
  execution: execution
    .unwrap()
    .extend({
      serviceId: z.enum(publicServiceIds).optional().describe('Required with service and service+ai.'),
    })
    .optional(),
  response: response
    .unwrap()
    .extend({ responseAdapter: z.enum(responseAdapterNames).optional() })
    .optional(),
});

const agentFields = z.looseObject({
  name: z.string().min(1),
  description: z.string().optional(),
  enabled: z.boolean().optional().describe('By default true.'),
  ...versionFields.shape,
});

type Fields = z.ZodObject<z.core.$ZodLooseShape, z.core.$loose>;

/** A schema with every rule of an agent; a function of the guard, since some rules are the operator's. */
function withRules(fields: Fields, moreIssues: (agent: Record<string, unknown>) => Issue[]) {
  const made = new WeakMap<JudgeUrl, z.ZodType>();
  return (judgeUrl: JudgeUrl): z.ZodType => {
    const known = made.get(judgeUrl);
    if (known) return known;
    const schema = fields.superRefine((agent, context) => {
      for (const { path, message } of [...moreIssues(agent), ...ruleIssues(agent, judgeUrl)]) {
        context.addIssue({ code: 'custom', path, message });
      }
    }, withOtherProblems);
    made.set(judgeUrl, schema);
    return schema;
  };
}

/** Checks a new agent as it was sent. */
export const newAgent = withRules(agentFields, reservedKeyIssues);

/** Fields of the agent itself, which a version does not change. */
const IDENTITY = ['name', 'description', 'enabled'];

/** Checks what an agent is to become by a new version: the merged whole. */
export const newVersion = withRules(versionFields, (agent) => [
  ...reservedKeyIssues(agent),
  ...IDENTITY.filter((key) => Object.hasOwn(agent, key)).map((key) => ({
    path: [key],
    code: 'custom',
    message: `${key} is not part of a version and cannot be set here.`,
  })),
]);

/**
 * Takes any object, and shows the fields in the reference: the handler checks them by `newAgent` or
 * `newVersion`, which need what a schema alone does not know.
 */
const shownAs = (fields: z.ZodType) => {
  const { $schema, ...shape } = z.toJSONSchema(fields, { io: 'input' });
  return z.looseObject({}).meta(shape);
};

export const agentDraft = shownAs(agentFields);

/** What the caller wants to change; whether it makes sense only the merged whole can tell. */
export const versionChange = z
  .looseObject({ agentId })
  .refine((data) => Object.keys(data).some((key) => key !== 'agentId'), {
    ...withOtherProblems,
    error: 'At least one field to change is required.',
  });

export const versionDraft = shownAs(versionFields.extend({ agentId }));
