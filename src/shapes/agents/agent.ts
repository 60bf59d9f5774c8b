import { z } from 'zod';
import { named } from '../named.ts';

const executions = {
  executionCount: z.number().int(),
  lastExecutedAt: z.number().nullable().describe('Epoch milliseconds; null if the agent never ran.'),
};

const identity = {
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  enabled: z.boolean(),
  managedBy: z.string().describe('`customer` for agents created over the API, `redpen` for built-in agents.'),
  // A loose object, since a record parses each of its keys.
  metadata: z.looseObject({}),
};

export const agentSummary = named(
  'AgentSummary',
  z.object({
    ...identity,
    version: z.number().int().optional().describe('Only for custom agents.'),
    system: z.literal(true).optional().describe('Only for built-in agents.'),
    ...executions,
  }),
);
export type AgentSummary = z.infer<typeof agentSummary>;

/** A custom agent with the behavioral fields of its current version, secrets redacted. */
export const customAgent = z.looseObject({
  ...identity,
  version: z.number().int(),
  ...executions,
  createdAt: z.number().describe('Epoch milliseconds.'),
  updatedAt: z.number().describe('Epoch milliseconds.'),
});

/** A built-in agent, without its behavior. */
export const builtinAgent = named(
  'BuiltinAgent',
  z.object({
    ...identity,
    system: z.literal(true),
    inputRequirements: z.record(z.string(), z.unknown()),
    userContextFields: z.array(z.record(z.string(), z.unknown())),
    ...executions,
  }),
);

export const agent = z.union([builtinAgent, customAgent]);
export type Agent = z.infer<typeof agent>;

/** The number of a version, from 1. */
export const versionNumber = z.int().min(1).max(2_147_483_647);

/** An earlier version: its behavioral fields, secrets redacted. */
export const agentVersion = z.looseObject({
  id: z.string().describe('For example `v3`.'),
  version: z.number().int(),
  createdAt: z.number().describe('Epoch milliseconds.'),
});
