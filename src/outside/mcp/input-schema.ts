import { type Fields, isObject } from '../../lib/json.ts';
import { isDeeper } from '../../lib/nesting.ts';
import { cleanText } from './clean-tool-text.ts';

const MAX_DEPTH = 24;
const MAX_CHARS = 30_000;
const MAX_DESCRIPTION = 500;

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HEADER_KEY = 'x-mcp-header';

/** Reason that a tool with this input schema cannot be offered, as the rest of a sentence; undefined if it can. */
export function schemaFault(schema: unknown): string | undefined {
  if (!isObject(schema) || schema.type !== 'object') return 'its input is no object';
  // Depth is checked first, since a value nested too deeply cannot even be serialized.
  if (isDeeper(schema, MAX_DEPTH)) return 'its input is nested too deeply';
  if (JSON.stringify(schema).length > MAX_CHARS) return 'its input schema is too long';
  if (hasOutsideReference(schema)) return 'its input schema refers to another document';
  return undefined;
}

/**
 * Reason that the protocol forbids a tool for the headers that repeat its arguments: a header's name must be valid and
 * unique, and belong to a plain property that is nested in properties only.
 */
export function headerFault(schema: Fields): string | undefined {
  const seen = new Set<string>();
  const visit = (node: unknown, isProperty: boolean, isReached: boolean): boolean => {
    if (typeof node !== 'object' || node === null) return true;
    if (Array.isArray(node)) return node.every((one) => visit(one, false, false));
    const fields = node as Fields;
    if (Object.hasOwn(fields, HEADER_KEY)) {
      const name = fields[HEADER_KEY];
      const isPlain = ['string', 'integer', 'boolean'].includes(String(fields.type));
      if (!isReached || !isProperty || !isPlain || typeof name !== 'string' || !HEADER_NAME.test(name)) {
        return false;
      }
      if (seen.has(name.toLowerCase())) return false;
      seen.add(name.toLowerCase());
    }
    return Object.entries(fields).every(([key, value]) => {
      if (key === HEADER_KEY || DATA_KEYS.has(key)) return true;
      if (!NAMED_KEYS.has(key)) return visit(value, false, false);
      return (
        !isObject(value) ||
        Object.values(value).every((one) =>
          visit(one, key === 'properties', isReached && key === 'properties'),
        )
      );
    });
  };
  return visit(schema, false, true) ? undefined : 'it asks for a header that it may not ask for';
}

/** Under these keywords, keys are names chosen by the tool's author, and not keywords. */
const NAMED_KEYS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords whose content is a value, and not a schema. */
const DATA_KEYS = new Set(['const', 'default', 'enum', 'examples']);

/** Cleans the descriptions of a schema, which are untrusted text, before a model sees it. */
export function cleanSchema(schema: Fields): Fields {
  const clean = (node: unknown, named: boolean): unknown => {
    if (Array.isArray(node)) return node.map((one) => clean(one, false));
    if (!isObject(node)) return node;
    return Object.fromEntries(
      Object.entries(node).flatMap(([key, value]): [string, unknown][] => {
        if (named) return [[key, clean(value, false)]];
        if (key === HEADER_KEY || key === '$comment') return [];
        if (DATA_KEYS.has(key)) return [[key, value]];
        if (typeof value === 'string' && (key === 'description' || key === 'title')) {
          return [[key, cleanText(value, MAX_DESCRIPTION)]];
        }
        return [[key, clean(value, NAMED_KEYS.has(key))]];
      }),
    );
  };
  return clean(schema, false) as Fields;
}

const hasOutsideReference = (node: unknown): boolean => {
  if (typeof node !== 'object' || node === null) return false;
  return Object.entries(node).some(([key, value]) =>
    (key === '$ref' || key === '$dynamicRef') && typeof value === 'string'
      ? !value.startsWith('#')
      : hasOutsideReference(value),
  );
};
