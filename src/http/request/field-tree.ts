import { z } from 'zod';
import { fieldUseOf } from '../../shapes/field-use.ts';

/** The fields that a schema reads from objects, compiled once so that a check of a request is quick. */
export type FieldTree = ObjectTree | ListTree | ChoiceTree;

interface Loudness {
  /** True if a field at or beneath this place may be unread. */
  isLoud: boolean;
}

export interface ObjectTree extends Loudness {
  kind: 'object';
  /** Every declared field; undefined for values that are read whole. */
  fields: Map<string, FieldTree | undefined>;
  /** Values of undeclared fields, if they are read. */
  others: FieldTree | undefined;
  /** True if undeclared fields are silently dropped. Strict objects refuse them on their own. */
  dropsOthers: boolean;
}

interface ListTree extends Loudness {
  kind: 'list';
  first: (FieldTree | undefined)[];
  element: FieldTree | undefined;
}

interface ChoiceTree extends Loudness {
  kind: 'choice';
  options: { tree: FieldTree | undefined; accepts(value: unknown): boolean }[];
}

type Compiled = FieldTree | undefined;
type Cache = Map<z.core.$ZodType, Compiled>;

const isLoud = (tree: Compiled): boolean => tree?.isLoud ?? false;

/** Values without fields. */
const SCALARS = new Set(
  'string number boolean bigint null undefined literal enum date nan void never symbol template_literal'.split(
    ' ',
  ),
);

/** Undefined if no field can be unread: values without fields, and those that are read whole. */
export const fieldTreeOf = (schema: z.ZodType): FieldTree | undefined => compile(schema, new Map());

function compile(schema: z.core.$ZodType, cache: Cache): Compiled {
  if (cache.has(schema)) return cache.get(schema);
  const later = fieldUseOf(schema).checkedAs;
  const tree = later ? compile(later, cache) : compileOwn(schema, cache);
  cache.set(schema, tree);
  return tree;
}

function compileOwn(schema: z.core.$ZodType, cache: Cache): Compiled {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return compileObject(schema, def, cache);
    case 'record':
      return compileRecord(schema, def.valueType, cache);
    case 'array':
      return compileList(schema, [], def.element, cache);
    case 'tuple':
      return compileList(schema, def.items, def.rest ?? undefined, cache);
    case 'union':
      return compileUnion(def, cache);
    case 'intersection':
      return compileChoice([def.left, def.right], () => () => true, cache);
    case 'pipe':
      // A function that runs before the schema may read any field.
      return compile(def.in, cache);
    case 'lazy':
      // Unlike the getter, this returns the same schema each time.
      return compile((schema as z.core.$ZodLazy)._zod.innerType, cache);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
    case 'catch':
      return compile(def.innerType, cache);
    default:
      return undefined;
  }
}

function compileObject(schema: z.core.$ZodType, def: z.core.$ZodObjectDef, cache: Cache): ObjectTree {
  const { catchall } = def;
  const isMarked = fieldUseOf(schema).ignoresOthers ?? false;
  // Loud until it is complete: a schema that contains itself meets it half made.
  const tree: ObjectTree = {
    kind: 'object',
    fields: new Map(),
    others: undefined,
    dropsOthers: catchall === undefined || isMarked,
    isLoud: true,
  };
  cache.set(schema, tree);
  for (const [name, inner] of Object.entries(def.shape)) tree.fields.set(name, compile(inner, cache));
  tree.others = catchall && compile(catchall, cache);
  tree.isLoud = tree.dropsOthers || isLoud(tree.others) || [...tree.fields.values()].some(isLoud);
  return tree;
}

function compileRecord(schema: z.core.$ZodType, values: z.core.$ZodType, cache: Cache): ObjectTree {
  const tree: ObjectTree = {
    kind: 'object',
    fields: new Map(),
    others: undefined,
    dropsOthers: false,
    isLoud: true,
  };
  cache.set(schema, tree);
  tree.others = compile(values, cache);
  tree.isLoud = isLoud(tree.others);
  return tree;
}

function compileList(
  schema: z.core.$ZodType,
  first: readonly z.core.$ZodType[],
  element: z.core.$ZodType | undefined,
  cache: Cache,
): ListTree {
  const tree: ListTree = { kind: 'list', first: [], element: undefined, isLoud: true };
  cache.set(schema, tree);
  tree.first = first.map((one) => compile(one, cache));
  tree.element = element && compile(element, cache);
  tree.isLoud = isLoud(tree.element) || tree.first.some(isLoud);
  return tree;
}

function compileUnion(def: z.core.$ZodUnionDef, cache: Cache): Compiled {
  const { discriminator } = def as z.core.$ZodUnionDef & { discriminator?: string };
  const structured = def.options.filter((option) => !SCALARS.has((option as z.core.$ZodTypes)._zod.def.type));
  if (structured.length <= 1) return structured[0] && compile(structured[0], cache);
  const accepts = (option: z.core.$ZodType) => {
    const values = discriminator === undefined ? undefined : option._zod.propValues?.[discriminator];
    if (!values) return (value: unknown) => z.safeParse(option, value).success;
    return (value: unknown) => values.has((value as Record<string, z.core.util.Primitive>)[discriminator!]);
  };
  return compileChoice(structured, accepts, cache);
}

function compileChoice(
  schemas: readonly z.core.$ZodType[],
  acceptsOf: (schema: z.core.$ZodType) => (value: unknown) => boolean,
  cache: Cache,
): ChoiceTree {
  const options = schemas.map((schema) => ({ tree: compile(schema, cache), accepts: acceptsOf(schema) }));
  return { kind: 'choice', options, isLoud: options.some(({ tree }) => isLoud(tree)) };
}
