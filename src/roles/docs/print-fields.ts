/** The part of JSON Schema that the reference uses. */
export interface Schema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  prefixItems?: Schema[];
  additionalProperties?: Schema | boolean;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  $ref?: string;
  [limit: string]: unknown;
}

export type Components = Record<string, Schema>;

const MAX_DEPTH = 5;

const PREFIX = '#/components/schemas/';

/** The schema that a reference leads to, with the description that the reference adds; others stay unchanged. */
export function followed(schema: Schema, components: Components): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...use } = schema;
  return { ...followed(components[$ref.replace(PREFIX, '')]!, components), ...use };
}

/** A table of all fields of a schema, including those of lists, maps and alternatives; undefined if there are none. */
export function printFields(schema: Schema, components: Components): string | undefined {
  const whole = followed(schema, components);
  const forms = whole.anyOf ?? whole.oneOf ?? [schema];
  const tables = forms.map((form) =>
    rowsWithin(form, { prefix: '', depth: 0, components, within: [] }).map(startOf),
  );
  const rows = tables.flatMap((table, index) => {
    const twin = tables.slice(0, index).find((other) => table.length > 0 && haveSameEnds(table, other));
    return twin && table[0]!.start !== twin[0]!.start
      ? [`| \`${table[0]!.start}\` | object | no | In this form, with the fields of \`${twin[0]!.start}\`. |`]
      : table.map(({ row }) => row);
  });
  // Each field appears once, even if several forms have it.
  const distinct = [...new Set(rows)];
  if (distinct.length === 0) return undefined;
  return ['| Field | Type | Required | Meaning |', '|---|---|---|---|', ...distinct].join('\n');
}

interface Row {
  row: string;
  /** Lists and maps around the field, such as `{key}[]`. */
  start: string;
  end: string;
}

function startOf(row: string): Row {
  const [whole, start] = /^\| `((?:\[\]|\{key\})*)\.?/.exec(row)!;
  return { row, start: start!, end: row.slice(whole.length) };
}

const haveSameEnds = (one: readonly Row[], other: readonly Row[]): boolean =>
  one.length === other.length && one.every(({ end }, index) => end === other[index]!.end);

interface Place {
  /** Such as `pages[].{url}`. */
  prefix: string;
  depth: number;
  components: Components;
  /** Named schemas that enclose this one. */
  within: readonly string[];
}

function rowsWithin(schema: Schema, place: Place): string[] {
  const { prefix, depth, components, within } = place;
  if (depth > MAX_DEPTH) return [];
  if (schema.$ref !== undefined) {
    const name = schema.$ref.replace(PREFIX, '');
    if (within.includes(name)) return [];
    return rowsWithin(components[name]!, { ...place, within: [...within, name] });
  }
  const forms = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const own = Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
    const name = joined(prefix, key);
    const required = schema.required?.includes(key) && field.default === undefined ? 'yes' : 'no';
    return [
      rowOf(name, field, required, components),
      ...rowsWithin(field, { ...place, prefix: name, depth: depth + 1 }),
    ];
  });
  return [
    ...own,
    ...forms.flatMap((form) => rowsWithin(form, place)),
    ...(schema.items ? rowsWithin(schema.items, { ...place, prefix: `${prefix}[]` }) : []),
    ...(schema.prefixItems ?? []).flatMap((item, index) =>
      rowsWithin(item, { ...place, prefix: `${prefix}[${index}]` }),
    ),
    ...(isMap(schema)
      ? rowsWithin(schema.additionalProperties, { ...place, prefix: joined(prefix, '{key}') })
      : []),
  ];
}

const joined = (prefix: string, key: string): string => (prefix === '' ? key : `${prefix}.${key}`);

function rowOf(name: string, field: Schema, required: string, components: Components): string {
  const whole = followed(field, components);
  const meaning = [whole.description ?? '', ...limitsOf(whole)].filter(Boolean).join(' ');
  return `| \`${name}\` | ${cell(typeOf(whole, components))} | ${required} | ${cell(meaning)} |`;
}

export const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

type MapSchema = Schema & { additionalProperties: Schema };

/** True for an object with arbitrary keys and values of one type. */
const isMap = (schema: Schema): schema is MapSchema =>
  typeof schema.additionalProperties === 'object' &&
  !schema.properties &&
  Object.keys(schema.additionalProperties).length > 0;

/** The type in words, such as `array of (object or null)`. */
export function typeOf(referring: Schema, components: Components): string {
  const schema = followed(referring, components);
  const of = (inner: Schema) => typeOf(inner, components);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return [...new Set(choices.map(of))].join(' or ');
  if (schema.allOf && schema.type === undefined) return [...new Set(schema.allOf.map(of))].join(' and ');
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(' or ');
  if (schema.items) return `array of ${inBrackets(of(schema.items))}`;
  if (schema.prefixItems) return `array of ${inBrackets(of({ anyOf: schema.prefixItems }))}`;
  if (isMap(schema)) return `map of ${inBrackets(of(schema.additionalProperties))}`;
  return [schema.type ?? 'any'].flat().join(' or ');
}

const inBrackets = (type: string): string => (type.includes(' or ') ? `(${type})` : type);

const LIMITS: Record<string, (limit: unknown) => string> = {
  minimum: (limit) => `At least ${limit}.`,
  maximum: (limit) => (limit === Number.MAX_SAFE_INTEGER ? '' : `At most ${limit}.`),
  exclusiveMinimum: (limit) => `More than ${limit}.`,
  maxLength: (limit) => `At most ${limit} characters.`,
  minItems: (limit) => `At least ${limit}.`,
  maxItems: (limit) => `At most ${limit}.`,
};

function limitsOf(schema: Schema): string[] {
  const limits = Object.entries(LIMITS).flatMap(([name, print]) =>
    schema[name] === undefined || schema[name] === Number.MIN_SAFE_INTEGER ? [] : [print(schema[name])],
  );
  return schema.default === undefined
    ? limits
    : [...limits, `Default \`${JSON.stringify(schema.default)}\`.`];
}
