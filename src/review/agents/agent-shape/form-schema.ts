import { z } from 'zod';
import { md5 } from '../../../lib/ids.ts';
import { asObject, type Fields, isObject } from '../../../lib/json.ts';
import { gatherOptions } from '../../gather/index.ts';
import { services } from '../../services/index.ts';
import { agentFields } from './agent-shape.ts';

/** A field whose value decides whether another one applies. */
interface Condition {
  field: string[];
  /** Any of these values; of a list, one of its entries. */
  anyOf: string[];
}

const uses = (...anyOf: string[]): Condition => ({ field: ['execution', 'executionStrategy'], anyOf });
const BY_MODEL = uses('ai', 'service+ai', 'stagehand-agent', 'mcp-tools');

/** Fields that apply only with certain values of others, by their path. */
const CONDITIONS: Record<string, Condition> = {
  'execution.serviceId': uses('service', 'service+ai'),
  'execution.mcpServers': uses('mcp-tools'),
  'execution.aiConfig': BY_MODEL,
  'execution.responseDescriptions': BY_MODEL,
  'execution.knowledge': BY_MODEL,
  'execution.strategyOptions.stagehand-agent': uses('stagehand-agent'),
  ...Object.fromEntries(
    services.map(({ id }) => [
      `execution.strategyOptions.${id}`,
      { field: ['execution', 'serviceId'], anyOf: [id] },
    ]),
  ),
  ...Object.fromEntries(
    [...gatherOptions.keys()].map((name) => [
      `contextGathering.strategyOptions.${name}`,
      { field: ['contextGathering', 'strategies'], anyOf: [name] },
    ]),
  ),
};

/** Titles that the name of a field does not give. */
const TITLES: Record<string, string> = {
  aiConfig: 'Model',
  mcpServers: 'MCP servers',
  contextGathering: 'What to read of a page',
  execution: 'How to review it',
  response: 'Summary',
  postProcess: 'What to do with findings',
  input: 'Inputs of a run',
  scope: 'Pages',
  rawInstructions: 'Instructions as they were written',
  setup: 'Notes of the tools that created the agent',
};
const LONG_TEXTS = new Set([
  'instructions',
  'rawInstructions',
  'description',
  'formattingPrompt',
  'systemPrompt',
]);

/** `pageScopeExclude` becomes `Page scope exclude`. */
const titleOf = (name: string): string =>
  TITLES[name] ??
  name
    .replace(/[-_]/g, ' ')
    .replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .replace(/^./, (first) => first.toUpperCase());

function widgetOf(name: string, schema: Fields, isSecret: boolean): string {
  if (isSecret && schema.type === 'string') return 'password';
  if (Array.isArray(schema.enum)) return 'select';
  if (Array.isArray(schema.anyOf) || Array.isArray(schema.oneOf)) return 'choice';
  if (schema.type === 'boolean') return 'checkbox';
  if (schema.type === 'integer' || schema.type === 'number') return 'number';
  if (schema.type === 'array') return Array.isArray(asObject(schema.items).enum) ? 'multiselect' : 'list';
  if (schema.type === 'object') return isObject(schema.properties) ? 'group' : 'pairs';
  return LONG_TEXTS.has(name) ? 'textarea' : 'text';
}

/** A schema in which each property has `x-ui`, with what a form needs beside types. */
function withHints(schema: Fields, path: readonly string[] = []): Fields {
  const hinted = { ...schema };
  if (isObject(schema.properties)) {
    hinted.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, property], order) => {
        const own = [...path, name];
        const fields = withHints(asObject(property), own);
        const isSecret = /^Secret\b/.test(String(fields.description ?? ''));
        const showIf = CONDITIONS[own.join('.')];
        const hints = {
          title: titleOf(name),
          order,
          widget: widgetOf(name, fields, isSecret),
          ...(isSecret && { secret: true }),
          ...(showIf && { showIf }),
        };
        return [name, { ...fields, 'x-ui': hints }];
      }),
    );
  }
  for (const key of ['items', 'additionalProperties']) {
    if (isObject(schema[key])) hinted[key] = withHints(schema[key], [...path, '*']);
  }
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    const several: unknown = schema[key];
    if (Array.isArray(several)) hinted[key] = several.map((one) => withHints(asObject(one), path));
  }
  return hinted;
}

const formOf = (schema: z.ZodType, path: readonly string[] = []): Fields => {
  const { $schema, ...own } = z.toJSONSchema(schema, { io: 'input' });
  return withHints(own as Fields, path);
};

const propertiesAt = (schema: Fields, ...path: string[]): Record<string, Fields> => {
  const place = path.reduce((at, name) => asObject(asObject(at.properties)[name]), schema);
  return Object.fromEntries(
    Object.entries(asObject(place.properties)).map(([name, property]) => [name, asObject(property)]),
  );
};

interface AgentForm {
  version: string;
  agent: Fields;
  gatherStrategies: Record<string, Fields>;
  executionOptions: Record<string, Fields>;
}

let form: AgentForm | undefined;

/** The schema of a new agent and those of the options of each strategy, for forms. */
export function agentForm(): AgentForm {
  if (form) return form;
  const agent = formOf(agentFields);
  const gatherStrategies = Object.fromEntries(
    [...gatherOptions].map(([name, options]) => [
      name,
      formOf(options, ['contextGathering', 'strategyOptions', name]),
    ]),
  );
  const executionOptions = propertiesAt(agent, 'execution', 'strategyOptions');
  const version = md5(JSON.stringify([agent, gatherStrategies]));
  form = { version, agent, gatherStrategies, executionOptions };
  return form;
}
