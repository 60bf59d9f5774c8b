import { expect, test } from 'vitest';
import { newWorkspace } from '../../../test/service/harness.ts';
import { gatherNames } from '../../review/gather/index.ts';

test('the schema has the fields of an agent with hints for a form', async () => {
  const w = await newWorkspace();
  const { version, agent, gatherStrategies, executionOptions } = await w.must('/v2/agents/schema');
  expect(version).toMatch(/^[0-9a-f]{32}$/);
  expect(agent.required).toEqual(['name']);
  const { properties } = agent;
  expect(properties.name['x-ui']).toEqual({ title: 'Name', order: 0, widget: 'text' });
  expect(properties.instructions['x-ui']).toMatchObject({ widget: 'textarea' });
  const { strategies, strategyOptions } = properties.contextGathering.properties;
  expect(strategies.items.enum).toEqual(gatherNames);
  expect(strategies['x-ui'].widget).toBe('multiselect');
  expect(strategyOptions.properties['web-page-html']['x-ui'].showIf).toEqual({
    field: ['contextGathering', 'strategies'],
    anyOf: ['web-page-html'],
  });
  const { execution } = properties;
  expect(execution.properties.executionStrategy['x-ui']).toMatchObject({ widget: 'select' });
  expect(execution.properties.serviceId['x-ui'].showIf).toEqual({
    field: ['execution', 'executionStrategy'],
    anyOf: ['service', 'service+ai'],
  });
  const ways: { properties: Record<string, { 'x-ui': object }> }[] =
    execution.properties.mcpServers.items.properties.auth.oneOf;
  const token = ways.find((way) => way.properties.token)!.properties.token!;
  expect(token['x-ui']).toEqual({ title: 'Token', order: 1, widget: 'password', secret: true });
  expect(Object.keys(gatherStrategies)).toEqual(gatherNames.filter((name) => name !== 'none'));
  expect(executionOptions['broken-links']['x-ui'].showIf).toEqual({
    field: ['execution', 'serviceId'],
    anyOf: ['broken-links'],
  });
});

test('the schema is that by which agents are validated', async () => {
  const w = await newWorkspace();
  const { agent } = await w.must('/v2/agents/schema');
  const timeout = agent.properties.phaseTimeoutMs;
  expect(timeout).toMatchObject({ type: 'integer', minimum: 1 });
  const { body } = await w.post('/v2/agents/create', { name: 'A', phaseTimeoutMs: 0 });
  expect(body.error.details.issues[0].path).toEqual(['phaseTimeoutMs']);
});
