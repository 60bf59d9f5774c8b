import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { documentationOf, nameOf } from '../../shapes/named.ts';

export type Schema = Record<string, unknown>;
type Form = 'input' | 'output';

const PREFIX = '#/components/schemas/';
/** Marks a schema that has a name, until it is moved. No keyword of JSON Schema has this name. */
const MARK = 'x-named';
/** Keywords that belong to the use of a named schema rather than to the schema. */
const OF_USE = ['description', 'default'] as const;

interface Mark {
  name: string;
  form: Form;
  description: string | undefined;
}

/** The schemas of an OpenAPI document that have names. */
export interface NamedSchemas {
  /** Converts a zod schema to JSON Schema. Named schemas within it are moved to the components. */
  convert(schema: z.ZodType, form: Form, fallback: string): Schema;
  /** Moves a schema to the components, and returns a reference to it. */
  define(name: string, schema: Schema): Schema;
  /** The schema to which a reference leads; any other schema is returned as it is. */
  resolve(schema: Schema): Schema;
  /** The components and the final form of `paths`, in which every reference leads to a component. */
  finish<T>(paths: T): { paths: T; schemas: Record<string, Schema> };
}

export function collectSchemas(): NamedSchemas {
  const found: Record<Form, Map<string, Schema>> = { input: new Map(), output: new Map() };
  const defined = new Map<string, Schema>();

  function add(name: string, form: Form, schema: Schema): void {
    const known = found[form].get(name);
    if (known && !isDeepStrictEqual(known, schema)) throw new Error(`Two schemas have the name ${name}.`);
    found[form].set(name, schema);
  }

  /** Moves every marked schema within `value` to the components, and leaves a reference. */
  function lift(value: unknown, form: Form): unknown {
    if (Array.isArray(value)) return value.map((item) => lift(item, form));
    if (typeof value !== 'object' || value === null) return value;
    const { [MARK]: mark, ...own } = value as Schema & { [MARK]?: Mark };
    const lifted = Object.fromEntries(Object.entries(own).map(([key, inner]) => [key, lift(inner, form)]));
    if (mark === undefined) return lifted;
    if (lifted.$ref === undefined) {
      const { description: _, default: __, ...rest } = lifted;
      const { name, description } = mark;
      add(name, mark.form, { ...(description !== undefined && { description }), ...rest });
    }
    const use = OF_USE.filter((key) => lifted[key] !== undefined && lifted[key] !== (mark as never)[key]);
    return { $ref: refTo(mark.name, mark.form), ...Object.fromEntries(use.map((key) => [key, lifted[key]])) };
  }

  function convert(schema: z.ZodType, form: Form, fallback: string): Schema {
    const { $defs = {}, ...root } = toMarkedSchema(schema, form);
    const definitions = Object.entries($defs as Record<string, Schema & { [MARK]?: Mark }>);
    // Recursive schemas without a name get one from the operation.
    const ids = new Map(
      definitions.map(([key, { [MARK]: mark }]) => [key, mark?.name ?? pascal(fallback, key)]),
    );
    const rootName = (root[MARK] as Mark | undefined)?.name ?? fallback;
    const text = JSON.stringify({ root, definitions })
      .replace(/"#\/\$defs\/([^"]+)"/g, (_, key: string) => JSON.stringify(refTo(ids.get(key)!, form)))
      .replaceAll('"$ref":"#"', `"$ref":${JSON.stringify(refTo(rootName, form))}`);
    const whole = JSON.parse(text) as { root: Schema; definitions: [string, Schema][] };
    for (const [key, definition] of whole.definitions) {
      const marked = {
        [MARK]: { name: ids.get(key)!, form, description: definition.description },
        ...definition,
      };
      lift(marked, form);
    }
    const isRecursive = JSON.stringify(whole.root).includes(JSON.stringify(refTo(rootName, form)));
    if (!isRecursive || MARK in whole.root) return lift(whole.root, form) as Schema;
    return lift(
      { [MARK]: { name: rootName, form, description: whole.root.description }, ...whole.root },
      form,
    ) as Schema;
  }

  return {
    convert,
    define(name, schema) {
      if (defined.has(name)) throw new Error(`Two schemas have the name ${name}.`);
      defined.set(name, schema);
      return { $ref: PREFIX + name };
    },
    resolve(schema) {
      const [, name = '', form] =
        /^#\/components\/schemas\/([^?]+)(?:\?(input|output))?$/.exec(String(schema.$ref ?? '')) ?? [];
      if (name === '') return schema;
      return (form === undefined ? defined.get(name) : found[form as Form].get(name)) ?? {};
    },
    finish(paths) {
      const { schemas, rename } = settle(found);
      const all = { ...Object.fromEntries(defined), ...schemas };
      const names = [...defined.keys(), ...Object.keys(schemas)];
      if (names.length > Object.keys(all).length) throw new Error('A schema has the name of an operation.');
      return rename({ paths, schemas: all });
    },
  };
}

/** A reference that says whether it leads to what is sent or to what is returned. */
const refTo = (name: string, form: Form): string => `${PREFIX}${name}?${form}`;
const REFERENCE = /"#\/components\/schemas\/([^"?]+)\?(input|output)"/g;

const pascal = (...words: string[]): string =>
  words
    .flatMap((word) => word.split(/[^A-Za-z0-9]+/))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Merges the two forms of each schema if they are equal; otherwise, the name of the input gets a suffix. */
function settle({ input, output }: Record<Form, Map<string, Schema>>) {
  const textOf = (schema: Schema): string => JSON.stringify(schema).replaceAll(REFERENCE, '"$1"');
  const both = [...input.keys()].filter((name) => output.has(name));
  const differing = new Set(both.filter((name) => textOf(input.get(name)!) !== textOf(output.get(name)!)));
  for (let before = -1; before < differing.size; ) {
    before = differing.size;
    for (const name of both) {
      const used = [...JSON.stringify(input.get(name)).matchAll(REFERENCE)].map(([, other]) => other!);
      if (used.some((other) => differing.has(other))) differing.add(name);
    }
  }
  const finalName = (name: string, form: Form) =>
    form === 'input' && differing.has(name) ? `${name}Input` : name;
  const schemas: Record<string, Schema> = {};
  for (const [form, found] of [['output', output] as const, ['input', input] as const]) {
    for (const [name, schema] of found) schemas[finalName(name, form)] ??= schema;
  }
  const rename = <T>(value: T): T =>
    JSON.parse(
      JSON.stringify(value).replaceAll(REFERENCE, (_, name: string, form: Form) =>
        JSON.stringify(PREFIX + finalName(name, form)),
      ),
    ) as T;
  return { schemas, rename };
}

/** A string with several patterns gets one, because generators print a type for each. */
function mergePatterns(schema: Schema): void {
  const parts = (schema.allOf ?? []) as Schema[];
  const patterns = parts.map(({ pattern }) => String(pattern));
  if (schema.type !== 'string' || parts.length === 0) return;
  if (parts.some((part) => Object.keys(part).join() !== 'pattern')) return;
  delete schema.allOf;
  schema.pattern = `^${patterns.map((one) => `(?=[\\s\\S]*?(?:${one}))`).join('')}`;
}

/** JSON Schema in which every named schema is marked. */
function toMarkedSchema(schema: z.ZodType, form: Form): Schema {
  const { $schema, ...converted } = z.toJSONSchema(schema, {
    io: form,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const described = documentationOf(zodSchema);
      if (described) {
        const { description } = jsonSchema;
        for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
        Object.assign(
          jsonSchema,
          toMarkedSchema(described.schema, described.form ?? form),
          description !== undefined && { description },
        );
      }
      mergePatterns(jsonSchema);
      // Results may get more fields later, so that a client must not rely on their absence.
      const { def } = zodSchema._zod;
      if (form === 'output' && def.type === 'object' && def.catchall === undefined) {
        delete jsonSchema.additionalProperties;
      }
      const holder = nameOf(zodSchema);
      if (!holder || jsonSchema.$ref !== undefined) return;
      const mark: Mark = {
        name: holder.name,
        form,
        description: z.globalRegistry.get(holder.holder)?.description,
      };
      Object.assign(jsonSchema, { [MARK]: mark });
    },
  }) as Schema;
  return converted;
}
