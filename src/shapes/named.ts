import type { z } from 'zod';

type Schema = z.core.$ZodType;

const names = new WeakMap<Schema, string>();
const descriptions = new WeakMap<Schema, Documentation>();

interface Documentation {
  schema: z.ZodType;
  /** Its form in both requests and results; by default it has two. */
  form?: 'input' | 'output';
}

/**
 * Names a schema in the components of the OpenAPI document. The id of zod's own metadata would name it in every JSON
 * Schema, also in those of events and of model answers, which must be complete on their own.
 */
export function named<S extends z.ZodType>(name: string, schema: S): S {
  names.set(schema, name);
  return schema;
}

/**
 * A schema that parses like `parsed` and is documented like `schema`, in one of its forms if given: for records whose stored fields are returned
 * as they are, because checking each of them would cost time, and an odd one would make the record unreadable.
 */
export function documentedAs<S extends z.ZodType>(
  schema: z.ZodType,
  parsed: S,
  form?: 'input' | 'output',
): S {
  const copy = parsed.clone();
  descriptions.set(copy, { schema, ...(form && { form }) });
  return copy;
}

/** Calls that add a description or a check to a schema copy it; the copy keeps name and documentation. */
function* ancestry(schema: Schema): Generator<Schema> {
  for (let one: Schema | undefined = schema; one; one = one._zod.parent) yield one;
}

/** The schema that has the name of this one: itself, or the one that it was copied from. */
export function nameOf(schema: Schema): { name: string; holder: Schema } | undefined {
  for (const holder of ancestry(schema)) {
    const name = names.get(holder);
    if (name !== undefined) return { name, holder };
  }
  return undefined;
}

/** The schema by which this one is documented, if that is another. */
export function documentationOf(schema: Schema): Documentation | undefined {
  for (const one of ancestry(schema)) {
    const described = descriptions.get(one);
    if (described) return described;
  }
  return undefined;
}
