import type { z } from 'zod';

/** Facts about the fields that an operation reads which its schema alone does not show. */
interface FieldUse {
  /** A loose object reads undeclared fields only to check them, and then ignores them. */
  ignoresOthers?: boolean;
  /** The schema by which a handler validates a value that the endpoint accepts unchecked. */
  checkedAs?: z.ZodType;
}

const uses = new WeakMap<z.core.$ZodType, FieldUse>();

/** The mark of a schema, which it keeps when checks are added to it. */
export function fieldUseOf(schema: z.core.$ZodType): FieldUse {
  for (let one: z.core.$ZodType | undefined = schema; one; one = one._zod.parent) {
    const use = uses.get(one);
    if (use) return use;
  }
  return {};
}

/** Marks a loose object whose undeclared fields have no effect. */
export function ignoringOthers<Schema extends z.ZodType>(schema: Schema): Schema {
  uses.set(schema, { ignoresOthers: true });
  return schema;
}

/** Marks a value that the handler validates by a schema of its own. */
export function checkedAs<Schema extends z.ZodType>(schema: Schema, later: z.ZodType): Schema {
  uses.set(schema, { checkedAs: later });
  return schema;
}
