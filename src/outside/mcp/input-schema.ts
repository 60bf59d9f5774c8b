import { type Fields, isObject } from '../../lib/json.ts';
import { isDeeper } from '../../lib/nesting.ts';
import { cleanWords } from './clean-words.ts';

const MAX_DEPTH = 24;
const MAX_CHARS = 30_000;
const MAX_DESCRIPTION = 500;

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HEADER_KEY = 'x-mcp-header';

/** Why a tool cannot be offered with this input schema, as the rest of a sentence; undefined where it can. */
export function schemaFault(schema: unknown): string | undefined {
  if (!isObject(schema) || schema.type !== 'object') return 'its input is no object';
  // Depth first, since what is nested too deeply cannot even be written as text.
  if (isDeeper(schema, MAX_DEPTH)) return 'its input is nested too deeply';
  if (JSON.stringify(schema).length > MAX_CHARS) return 'its input schema is too long';
  if (hasOutsideReference(schema)) return 'its input schema refers to another document';
  return undefined;
}

/**
 * Why the protocol forbids to use a tool for the headers that its arguments are to be repeated in: a header's name
 * must be one, of its own, and belong to a plain property that is reached by properties alone.
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

/** Under these, a key is a name that the tool's author gave, and no word of the schema language. */
const NAMED_KEYS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** What stands under these is a value, and no schema. */
const DATA_KEYS = new Set(['const', 'default', 'enum', 'examples']);

/** The schema as the model may see it: descriptions are words of a stranger. */
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
          return [[key, cleanWords(value, MAX_DESCRIPTION)]];
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
