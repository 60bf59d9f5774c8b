import { problemsOf, resolve, type Schema } from './json-schema.ts';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A schema with the fields of all parts that it is composed of. */
function joined({ allOf, ...schema }: Schema): Schema {
  const parts = ((allOf ?? []) as Schema[]).map((part) => joined(resolve(part)));
  const properties = Object.assign({}, ...[schema, ...parts].map((part) => part.properties));
  return parts.length === 0 ? schema : { ...Object.assign({}, ...parts, schema), properties };
}

/**
 * The fields of an answer that its schema does not declare, with their places. Fields of a map are declared; those of an
 * object with further fields, which the caller may have added, only count if `strictly`.
 */
export function undeclaredIn(schema: Schema, value: unknown, strictly = false, place = ''): string[] {
  const here = joined(resolve(schema));
  const members = (here.anyOf ?? here.oneOf) as Schema[] | undefined;
  if (members) {
    const [nearest] = members
      .map((member) => ({ member, problems: problemsOf(member, value).length }))
      .toSorted((one, other) => one.problems - other.problems);
    return undeclaredIn(nearest!.member, value, strictly, place);
  }
  if (Array.isArray(value)) {
    const items = here.items as Schema | undefined;
    return items ? value.flatMap((item) => undeclaredIn(items, item, strictly, `${place}[]`)) : [];
  }
  if (!isObject(value)) return [];
  const properties = here.properties as Record<string, Schema> | undefined;
  const further = here.additionalProperties as Schema | undefined;
  const isClosed = properties !== undefined && (strictly || further === undefined);
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = place === '' ? name : `${place}.${name}`;
    const declared = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (declared) return undeclaredIn(declared, inner, strictly, at);
    if (isClosed) return [at];
    return isObject(further)
      ? undeclaredIn(further, inner, strictly, properties ? at : `${place}.{key}`)
      : [];
  });
}
