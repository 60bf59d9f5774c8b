import type { z } from 'zod';
import type { Issue } from '../../../lib/errors.ts';
import { withOtherProblems } from '../../../shapes/all-problems.ts';

const OF_AGENT = [
  'managedBy',
  'id',
  'agentId',
  'version',
  'createdAt',
  'updatedAt',
  'executionCount',
  'lastExecutedAt',
  'system',
];
const OF_METADATA = ['type', 'category', 'internal', 'apiKey'];

/** One issue for each key of an agent that only the service sets. */
export function reservedKeyIssues(agent: Record<string, unknown>): Issue[] {
  const { metadata } = agent;
  const isObject = typeof metadata === 'object' && metadata !== null;
  return [
    ...OF_AGENT.filter((key) => Object.hasOwn(agent, key)).map((key) => [key]),
    ...OF_METADATA.filter((key) => isObject && Object.hasOwn(metadata, key)).map((key) => ['metadata', key]),
  ].map((path) => ({
    path,
    code: 'server_managed',
    message: `${path.join('.')} is a server-managed field and cannot be set via the API.`,
  }));
}

/** Adds these issues to a schema of a loose object that names its agent by `agentId`. */
export const refuseReservedKeys = <Schema extends z.ZodObject>(schema: Schema): Schema =>
  schema.superRefine((data, context) => {
    const { agentId, ...agent } = data as Record<string, unknown>;
    for (const { path, message } of reservedKeyIssues(agent)) {
      context.addIssue({ code: 'custom', path, message });
    }
  }, withOtherProblems);
