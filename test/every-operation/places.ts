import type { Place } from './id-fields.ts';
import { resolve, type Schema } from './json-schema.ts';

export interface Field {
  place: Place;
  schema: Schema;
  required: boolean;
}

const MAX_DEPTH = 12;

/** All fields of a schema, at any depth; the elements of a list count as one field. */
export function fieldsOf(schema: Schema): Field[] {
  const found = new Map<string, Field>();
  const visit = (raw: Schema, place: Place, required: boolean) => {
    if (place.length > MAX_DEPTH) return;
    const here = resolve(raw);
    const key = place.join('.');
    if (place.length > 0 && !found.has(key)) found.set(key, { place, schema: here, required });
    for (const keyword of ['anyOf', 'oneOf', 'allOf'] as const) {
      for (const member of (here[keyword] as Schema[] | undefined) ?? []) visit(member, place, required);
    }
    const needed = (here.required as string[] | undefined) ?? [];
    for (const [name, inner] of Object.entries((here.properties as Record<string, Schema>) ?? {})) {
      visit(inner, [...place, name], needed.includes(name));
    }
    if (here.items) visit(here.items as Schema, [...place, '*'], true);
  };
  visit(schema, [], true);
  return [...found.values()];
}

type Container = Record<string | number, unknown>;
const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

/** The value at a place; `*` takes the first element of a list. */
export function valueAt(body: unknown, place: Place): unknown {
  let value = body;
  for (const part of place) {
    if (!isContainer(value)) return undefined;
    value = part === '*' ? value[0] : Object.hasOwn(value, part) ? value[part] : undefined;
  }
  return value;
}

/** A copy of the body with this value at a place, creating what contains it; `undefined` removes the field. */
export function withValue(body: unknown, place: Place, value: unknown): unknown {
  const [part, ...rest] = place;
  if (part === undefined) return value;
  if (part === '*') {
    const list = Array.isArray(body) ? body : [];
    const first = withValue(list[0], rest, value);
    return first === undefined ? list.slice(1) : [first, ...list.slice(1)];
  }
  const fields = isContainer(body) && !Array.isArray(body) ? Object.entries(body) : [];
  const inner = withValue(fields.find(([name]) => name === part)?.[1], rest, value);
  const others = fields.filter(([name]) => name !== part);
  // An assignment would not create a field named __proto__.
  return Object.fromEntries(inner === undefined ? others : [...others, [part, inner]]);
}

/** Merges two bodies: fields of the first win, and lists are merged element by element. */
export function merge(winner: unknown, other: unknown): unknown {
  if (winner === undefined) return other;
  if (Array.isArray(winner) && Array.isArray(other))
    return winner.map((item, index) => merge(item, other[index]));
  if (!isContainer(winner) || !isContainer(other) || Array.isArray(winner) || Array.isArray(other))
    return winner;
  const names = [...new Set([...Object.keys(winner), ...Object.keys(other)])];
  return Object.fromEntries(names.map((name) => [name, merge(winner[name], other[name])]));
}
