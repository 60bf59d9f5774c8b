import { exampleOf } from '../../src/http/openapi/openapi.ts';
import { type Kind, kindOf, type Place } from './id-fields.ts';
import { resolve, type Schema } from './json-schema.ts';
import type { Operation } from './operations.ts';
import { fieldsOf, merge, valueAt, withValue } from './places.ts';
import { suggestions } from './suggestions.ts';
import { idIn, type World } from './world.ts';

type Include = (place: Place) => boolean;
export type IdOf = (kind: Kind) => unknown;

const BY_FORMAT: Record<string, string> = {
  email: 'someone@example.com',
  uri: 'https://example.com/',
  'date-time': '2026-01-02T03:04:05.000Z',
  date: '2026-01-02',
};
/** Candidates for a text whose form the schema states only as a pattern. */
const TEXTS = ['text', 'us-east1', 'https://example.com/', 'someone@example.com', '2026-01-02', 'a', '1'];

/** A plausible value for a schema; ids come from `idOf`, so that they exist. */
export function build(schema: Schema, include: Include, idOf: IdOf, place: Place = []): unknown {
  const here = resolve(schema);
  const kind = kindOf(place);
  const members = (here.anyOf ?? here.oneOf) as Schema[] | undefined;
  const included = members?.find((member) => includesWithin(resolve(member), include, place));
  if (included) return build(included, include, idOf, place);
  if (kind !== undefined && !('properties' in here) && here.type !== 'array') {
    const id = idOf(kind);
    if (id !== undefined) return id;
  }
  if ('const' in here) return here.const;
  if (Array.isArray(here.enum)) return here.enum[0];
  if (members) {
    const member = members.find((option) => resolve(option).type !== 'null') ?? members[0]!;
    return build(member, include, idOf, place);
  }
  const type = Array.isArray(here.type) ? here.type[0] : here.type;
  if (type === 'object' || here.properties) return buildObject(here, include, idOf, place);
  if (type === 'array') {
    const fixed = ((here.prefixItems as Schema[]) ?? []).map((item) => build(item, include, idOf, place));
    const length = Math.max(1, (here.minItems as number) ?? 1) - fixed.length;
    const item = () => build((here.items as Schema) ?? {}, include, idOf, [...place, '*']);
    return [...fixed, ...Array.from({ length: Math.max(0, length) }, item)];
  }
  if (type === 'number' || type === 'integer') return (here.minimum as number) ?? 1;
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  return buildText(here);
}

/** True if a field within this alternative of a schema is included, so that the alternative must be chosen. */
function includesWithin({ type, properties }: Schema, include: Include, place: Place): boolean {
  if (type === 'array') return include([...place, '*']);
  return Object.keys(properties ?? {}).some((name) => include([...place, name]));
}

function buildObject(schema: Schema, include: Include, idOf: IdOf, place: Place): unknown {
  const needed = (schema.required as string[] | undefined) ?? [];
  const fields = Object.entries((schema.properties as Record<string, Schema>) ?? {});
  return Object.fromEntries(
    fields
      .filter(([name]) => needed.includes(name) || include([...place, name]))
      .map(([name, inner]) => [name, build(inner, include, idOf, [...place, name])]),
  );
}

function buildText(schema: Schema): string {
  const patterns = [schema, ...((schema.allOf as Schema[]) ?? [])].flatMap(({ pattern }) => pattern ?? []);
  const fits = (text: string) => patterns.every((pattern) => new RegExp(pattern as string, 'u').test(text));
  const byFormat = BY_FORMAT[schema.format as string];
  return byFormat ?? TEXTS.find(fits) ?? TEXTS[0]!;
}

const startsWith = (place: Place, start: Place): boolean =>
  start.every((part, index) => place[index] === part);

/** Includes these fields and everything that contains them. */
export const onlyTo =
  (...wanted: Place[]): Include =>
  (place) =>
    wanted.some((target) => startsWith(target, place));

/** A copy of the body with its ids replaced by those of `ids`. */
export function withIdsOf(ids: IdOf, operation: Operation, body: unknown): unknown {
  return fieldsOf(operation.request).reduce((changed, { place }) => {
    const kind = kindOf(place);
    const present = valueAt(changed, place);
    const id = kind === undefined || present === undefined || Array.isArray(present) ? undefined : ids(kind);
    return id === undefined ? changed : withValue(changed, place, id);
  }, body);
}

export const idsOf =
  (world: World): IdOf =>
  (kind) =>
    idIn(world, kind);

/**
 * Bodies of which at least one should be valid, the likeliest first. A schema cannot express rules across fields, so each
 * optional field is also tried alone.
 */
export function* candidates(operation: Operation, world: World, field?: Place): Generator<unknown> {
  const ids = idsOf(world);
  const { request } = operation;
  const around = field ? [field] : [];
  const required = build(request, onlyTo(...around), ids);
  const known = [
    ...suggestions(operation.path, world),
    withIdsOf(ids, operation, exampleOf(operation.endpoint)),
  ];
  for (const body of known) yield merge(body, required);
  yield required;
  const optional = fieldsOf(request).filter(({ place, required }) => !required && place.length === 1);
  for (const { place } of optional) yield build(request, onlyTo(place, ...around), ids);
  for (const body of known)
    for (const { place } of optional) yield merge(withValue(body, place, undefined), required);
  yield build(request, () => true, ids);
  for (const first of optional) {
    for (const second of optional) yield build(request, onlyTo(first.place, second.place, ...around), ids);
  }
}
