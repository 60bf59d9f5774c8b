import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { checkUrl, problems } from '../../../../test/reviews/agent-problems.ts';
import { documentationOf } from '../../../shapes/named.ts';
import { builtinAgents } from '../builtin/index.ts';
import { agentDraft, newVersion, versionDraft } from './agent-shape.ts';

test('each server-managed key is reported with its own message, together with all other problems', () => {
  const issues = problems({
    managedBy: 'me',
    id: 'x',
    version: 1,
    createdAt: 1,
    updatedAt: 1,
    metadata: { type: 'x', category: 'x', internal: true, apiKey: 'x', fine: 1 },
    phaseTimeoutMs: -1,
    execution: { executionStrategy: 'service' },
  });
  const managed = [
    'managedBy',
    'id',
    'version',
    'createdAt',
    'updatedAt',
    'metadata.type',
    'metadata.category',
    'metadata.internal',
    'metadata.apiKey',
  ];
  const messages = issues.map(({ message }) => message);
  for (const key of managed) {
    expect(
      messages.filter(
        (message) => message === `${key} is a server-managed field and cannot be set via the API.`,
      ),
    ).toHaveLength(1);
  }
  expect(
    issues
      .map(({ path }) => path.join('.'))
      .filter((path) => !managed.includes(path))
      .sort(),
  ).toEqual(['execution.serviceId', 'name', 'phaseTimeoutMs']);
});

test('a version refuses fields that belong to the agent itself', () => {
  const issues = problems({ name: 'x', enabled: true }, newVersion(checkUrl));
  expect(issues.map(({ path }) => path)).toEqual([['name'], ['enabled']]);
});

test.each(builtinAgents.map((agent) => [agent.agentId, agent] as const))(
  'the built-in agent %s keeps every rule except that of public services',
  (agentId, agent) => {
    const { name, description, behavior } = agent;
    const { serviceId } = (behavior.execution ?? {}) as { serviceId?: string };
    const issues = problems({ name, description, ...behavior });
    expect(issues.filter(({ path }) => path.join('.') !== 'execution.serviceId')).toEqual([]);
    if (issues.length > 0) expect(serviceId).toBe(agentId);
  },
);

test('validation of any value reports issues and never throws', () => {
  const blocks = [
    'contextGathering',
    'execution',
    'response',
    'postProcess',
    'input',
    'scope',
    'setup',
    'metadata',
    'name',
  ];
  const inner = [
    'strategies',
    'strategyOptions',
    'rest-api',
    'endpoints',
    'auth',
    'headers',
    'mcpServers',
    'url',
    'id',
    'executionStrategy',
    'aiConfig',
  ];
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      fc.jsonValue(),
      fc.constantFrom('mcp-tools', 'rest-api', 'none', '__redacted__', 'http://x'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...inner), tie('value'), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...blocks), value), (agent) => {
      expect(Array.isArray(problems(agent))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test('the schema in the reference lists the fields, which the handler validates', () => {
  for (const draft of [agentDraft, versionDraft]) {
    expect(draft.parse({ anything: 1 })).toEqual({ anything: 1 });
    const { schema } = documentationOf(draft)!;
    expect(Object.keys((schema as z.ZodObject).shape)).toContain('contextGathering');
  }
});
