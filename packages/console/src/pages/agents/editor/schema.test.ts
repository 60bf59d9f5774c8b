import { expect, test } from 'vitest';
import { agentForm } from '../../../../../../src/review/agents/agent-shape/form-schema.ts';
import {
  defaultSwitch,
  type Field,
  fieldsOf,
  isShown,
  type SchemaNode,
  titleOf,
  topicsOf,
  widgetOf,
} from './schema.ts';

const schema = agentForm().agent as SchemaNode;
const topics = topicsOf(schema);

/** All fields that a form draws by itself, with those within groups and entries. */
const allFields = (fields: readonly Field[]): Field[] =>
  fields.flatMap((field) => {
    const { node, path } = field;
    const widget = widgetOf(node);
    if (widget === 'group') return [field, ...allFields(fieldsOf(node, path))];
    if (widget === 'entries' && node.items) return [field, ...allFields(fieldsOf(node.items, [...path, 0]))];
    return [field];
  });
const fields = topics.flatMap((topic) => allFields(topic.fields));
const fieldAt = (path: string): Field => fields.find((field) => field.path.join('.') === path)!;

test('the schema of the service becomes topics', () => {
  expect(topics.map(({ title }) => title)).toEqual([
    'Agent',
    'What to read of a page',
    'How to review it',
    'Pages',
    'What to do with findings',
    'Summary',
    'Inputs of a run',
    'Sign-in to pages',
    'Notes of the tools that created the agent',
    'More',
  ]);
});

test('only values without a form of their own are edited as JSON', () => {
  const asJson = fields.filter(({ node }) => widgetOf(node) === 'json').map(({ path }) => path.join('.'));
  expect(asJson.sort()).toEqual([
    'auth.storageState',
    'contextGathering.strategyOptions.rest-api.endpoints.0.body',
    'contextGathering.strategyOptions.rest-api.endpoints.0.query',
    'contextGathering.strategyOptions.web-page-accessibility.rules',
    'input.userContextFields.0.defaultValue',
    'metadata',
  ]);
});

test('no secret is shown as text', () => {
  const secrets = fields.filter(({ node }) => node['x-ui']?.secret && widgetOf(node) === 'text');
  expect(secrets).toEqual([]);
  expect(widgetOf(fieldAt('auth.basic.password').node)).toBe('secret');
});

test('titles are in sentence case, with the usual abbreviations', () => {
  const title = (path: string) => titleOf(fieldAt(path).name, fieldAt(path).node);
  expect(title('phaseTimeoutMs')).toBe('Phase timeout (ms)');
  expect(title('execution.mcpServers.0.url')).toBe('URL');
  expect(title('contextGathering.strategyOptions.rest-api')).toBe('REST API');
  expect(title('scope.pageScopeExclude')).toBe('Page scope exclude');
});

test('a field that does not apply is shown only while it has a value', () => {
  const service = fieldAt('execution.serviceId');
  expect(isShown(service, {})).toBe(false);
  expect(isShown(service, { execution: { executionStrategy: 'service' } })).toBe(true);
  expect(isShown(service, { execution: { serviceId: 'crawler' } })).toBe(true);
  // Agents ask a model unless they say otherwise.
  expect(isShown(fieldAt('execution.knowledge'), {})).toBe(true);
  const options = fieldAt('contextGathering.strategyOptions.sitemap-data');
  expect(isShown(options, { contextGathering: { strategies: ['web-page-text', 'sitemap-data'] } })).toBe(
    true,
  );
});

test('a switch without a value shows what the service does', () => {
  expect(defaultSwitch(fieldAt('postProcess.guardrails.enabled').node)).toBe(true);
  expect(defaultSwitch(fieldAt('execution.knowledge.useMemory').node)).toBe(false);
});
