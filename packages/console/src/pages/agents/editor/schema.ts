import { type Fields, isFields, type Path, valueAt } from './json-path.ts';

/** A field whose value decides whether another one applies. */
interface Condition {
  field: string[];
  anyOf: string[];
}

interface Hints {
  title: string;
  order: number;
  widget: string;
  secret?: boolean;
  showIf?: Condition;
}

/** A JSON Schema with the hints for forms that agents/schema adds. */
export interface SchemaNode {
  type?: string | string[];
  description?: string;
  properties?: Record<string, SchemaNode>;
  items?: SchemaNode;
  enum?: string[];
  const?: string;
  default?: unknown;
  required?: string[];
  oneOf?: SchemaNode[];
  anyOf?: SchemaNode[];
  additionalProperties?: SchemaNode | boolean;
  minimum?: number;
  maximum?: number;
  'x-ui'?: Hints;
}

/** The form of a field: how it is edited. */
export type Widget =
  | 'text'
  | 'textarea'
  | 'number'
  | 'checkbox'
  | 'select'
  | 'multiselect'
  | 'lines'
  | 'entries'
  | 'pairs'
  | 'variant'
  | 'group'
  | 'secret'
  | 'json';

/** The value that stands for a stored secret. */
export const REDACTED = '__redacted__';

const propertyOfPairs = (node: SchemaNode): string | undefined =>
  isFields(node.additionalProperties) ? String(node.additionalProperties.type ?? '') : undefined;

/** How a field is edited; what has no form of its own is edited as JSON. */
export function widgetOf(node: SchemaNode): Widget {
  const widget = node['x-ui']?.widget;
  switch (widget) {
    case 'password':
      return 'secret';
    case 'list':
      if (node.items?.type === 'string') return 'lines';
      return node.items?.properties ? 'entries' : 'json';
    case 'pairs':
      return propertyOfPairs(node) === 'string' ? 'pairs' : 'json';
    case 'choice':
      return node.oneOf?.every((one) => one.properties?.type?.const) ? 'variant' : 'json';
    case 'group':
      // A saved sign-in state comes from a file.
      return /\bSecret\.$/.test(node.description ?? '') ? 'json' : 'group';
    case 'text':
      return node.type === 'string' ? 'text' : 'json';
    case 'textarea':
    case 'number':
    case 'checkbox':
    case 'select':
    case 'multiselect':
      return widget;
    default:
      return 'json';
  }
}

const WORDS: Record<string, string> = {
  url: 'URL',
  urls: 'URLs',
  id: 'id',
  ids: 'ids',
  api: 'API',
  html: 'HTML',
  css: 'CSS',
  http: 'HTTP',
  ai: 'AI',
  mcp: 'MCP',
  ms: '(ms)',
  px: '(px)',
  json: 'JSON',
  ttl: 'TTL',
  iframes: 'iframes',
  rest: 'REST',
  txt: 'txt',
};

const TITLES: Record<string, string> = {
  auth: 'Sign-in to pages',
  goto: 'Go to',
  pmVerdict: 'Verdict of the author',
  pmNotes: 'Notes of the author',
  setupSamples: 'Samples',
};

/** The title of a field in sentence case, with the usual spelling of abbreviations. */
export function titleOf(name: string, node: SchemaNode): string {
  const own = TITLES[name];
  if (own) return own;
  const title = (node['x-ui']?.title ?? name).trim();
  const words = title.split(' ').map((word) => WORDS[word.toLowerCase()] ?? word);
  return words.join(' ').replace(/^./, (first) => first.toUpperCase());
}

export interface Field {
  name: string;
  path: Path;
  node: SchemaNode;
  isRequired: boolean;
}

/** The fields of an object in the order of the form. */
export const fieldsOf = (node: SchemaNode, path: Path): Field[] =>
  Object.entries(node.properties ?? {})
    .map(([name, property]) => ({
      name,
      path: [...path, name],
      node: property,
      isRequired: node.required?.includes(name) ?? false,
    }))
    .sort((one, other) => (one.node['x-ui']?.order ?? 0) - (other.node['x-ui']?.order ?? 0));

/** False for a field that does not apply with the values of others, unless it has a value. */
export function isShown({ node, path }: Field, root: unknown): boolean {
  const condition = node['x-ui']?.showIf;
  if (!condition || valueAt(root, path) !== undefined) return true;
  const value = valueAt(root, condition.field);
  const values = Array.isArray(value) ? value : [value ?? defaultOf(condition.field)];
  return values.some((one) => condition.anyOf.includes(String(one)));
}

/** Agents ask a model unless they say otherwise. */
const defaultOf = (field: readonly string[]): string | undefined =>
  field.join('.') === 'execution.executionStrategy' ? 'ai' : undefined;

/** What a switch shows while the field has no value. */
export const defaultSwitch = ({ default: given, description = '' }: SchemaNode): boolean =>
  typeof given === 'boolean' ? given : /Defaults to true/.test(description);

/** Parts of the form: the agent itself, and one for each group of its fields. */
export interface Topic {
  id: string;
  title: string;
  hint?: string | undefined;
  fields: Field[];
}

const FIRST = ['name', 'description', 'instructions'];
const LAST = ['rawInstructions', 'phaseTimeoutMs', 'metadata'];
const ORDER = ['contextGathering', 'execution', 'scope', 'postProcess', 'response', 'input', 'auth', 'setup'];
const NOT_SHOWN = ['enabled'];

/** The topics of the schema of an agent. Whether it is enabled is not part of the form: it has a switch of its own. */
export function topicsOf(schema: SchemaNode): Topic[] {
  const fields = new Map(fieldsOf(schema, []).map((field) => [field.name, field]));
  const take = (names: readonly string[]): Field[] => names.flatMap((name) => fields.get(name) ?? []);
  const groups = [...fields.values()].filter(({ node }) => widgetOf(node) === 'group');
  const rank = ({ name }: Field): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  const known = new Set([...FIRST, ...LAST, ...NOT_SHOWN, ...groups.map(({ name }) => name)]);
  const others = [...fields.values()].filter(({ name }) => !known.has(name));
  return [
    { id: 'agent', title: 'Agent', fields: take(FIRST) },
    ...groups
      .sort((one, other) => rank(one) - rank(other))
      .map(({ name, node, path }) => ({
        id: name,
        title: titleOf(name, node),
        hint: node.description,
        fields: fieldsOf(node, path),
      })),
    { id: 'more', title: 'More', fields: [...others, ...take(LAST)] },
  ].filter((topic) => topic.fields.length > 0);
}

/** Names of fields that the schema does not know; they are edited as JSON. */
export const unknownFields = (value: Fields, schema: SchemaNode): string[] =>
  Object.keys(value).filter((name) => !schema.properties?.[name]);
