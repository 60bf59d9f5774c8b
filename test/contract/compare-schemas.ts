import type { Part } from './contract.ts';

/** `request` for what callers send, `answer` for what they receive, webhook messages included. */
export type Direction = 'request' | 'answer';

interface Comparison {
  released: Part;
  current: Part;
  direction: Direction;
  /** Pairs of named schemas that are being compared, since schemas may contain themselves. */
  open: ReadonlySet<string>;
}

/** Limits by whether a request is refused when their value grows or when it shrinks. */
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const RULES = ['pattern', 'format', 'uniqueItems', 'not'];

const show = (value: unknown): string => JSON.stringify(value);
const same = (one: unknown, other: unknown): boolean => show(one) === show(other);

/** The part that a reference in the document names, or the part itself. */
export function follow(document: Part, part: Part): Part {
  if (typeof part.$ref !== 'string') return part;
  const found = part.$ref
    .slice(2)
    .split('/')
    .reduce<Part | undefined>((inner, name) => inner?.[name], document);
  if (!found) throw new Error(`${part.$ref} does not exist.`);
  return follow(document, found);
}

/** What callers of a released schema can no longer rely on in the current one, one sentence each. */
export function compareSchemas(
  released: Part,
  current: Part,
  place: string,
  comparison: Comparison,
): string[] {
  const pair = `${released.$ref} ${current.$ref}`;
  const isNamed = released.$ref !== undefined && current.$ref !== undefined;
  if (isNamed && comparison.open.has(pair)) return [];
  const within = isNamed ? { ...comparison, open: new Set([...comparison.open, pair]) } : comparison;
  const [before, now] = [follow(comparison.released, released), follow(comparison.current, current)];
  if (alternativesOf(before) ?? alternativesOf(now)) return compareAlternatives(before, now, place, within);
  const types = compareTypes(before, now, place, within);
  if (types.length > 0) return types;
  return [
    ...compareValues(before, now, place, within),
    ...compareLimits(before, now, place, within),
    ...compareFields(before, now, place, within),
    ...compareInner(before, now, place, within),
  ];
}

const alternativesOf = (schema: Part): Part[] | undefined => schema.anyOf ?? schema.oneOf;

/** Every released alternative must still be one. Further ones are additions, if they have the type of another. */
function compareAlternatives(before: Part, now: Part, place: string, comparison: Comparison): string[] {
  const [olds, news] = [alternativesOf(before) ?? [before], alternativesOf(now) ?? [now]];
  const problems = olds.flatMap((old) => {
    const attempts = news.map((candidate) => compareSchemas(old, candidate, place, comparison));
    return attempts.reduce((best, other) => (other.length < best.length ? other : best));
  });
  if (comparison.direction === 'request') return problems;
  const known = olds.flatMap((old) => typesOf(follow(comparison.released, old)) ?? []);
  const added = news.flatMap((schema) => typesOf(follow(comparison.current, schema)) ?? []);
  const unknown = added.filter((type) => known.length > 0 && !covers(known, type));
  return [...problems, ...unknown.map((type) => `${place} may now be of the type ${type}.`)];
}

function typesOf({ type, const: fixed, enum: choices }: Part): string[] | undefined {
  if (type !== undefined) return [type].flat();
  const values = choices ?? (fixed === undefined ? undefined : [fixed]);
  return values?.map((value: unknown) => (value === null ? 'null' : typeof value));
}

const covers = (types: string[], type: string): boolean =>
  types.includes(type) || (type === 'integer' && types.includes('number'));

function compareTypes(before: Part, now: Part, place: string, { direction }: Comparison): string[] {
  const [olds, news] = [typesOf(before), typesOf(now)];
  const [given, allowed] = direction === 'request' ? [olds, news] : [news, olds];
  if (allowed === undefined) return [];
  if (given?.every((type) => covers(allowed, type))) return [];
  return [
    `${place} was of the type ${olds?.join(' or ') ?? 'any'}, and is now ${news?.join(' or ') ?? 'any'}.`,
  ];
}

const valuesOf = ({ enum: choices, const: fixed }: Part): unknown[] | undefined =>
  choices ?? (fixed === undefined ? undefined : [fixed]);

/** A value that an answer no longer has may have been renamed, so callers would miss it, too. */
function compareValues(before: Part, now: Part, place: string, { direction }: Comparison): string[] {
  const [olds, news] = [valuesOf(before), valuesOf(now)];
  if (news === undefined) return [];
  if (olds === undefined)
    return direction === 'request' ? [`${place} now accepts only ${news.map(show).join(', ')}.`] : [];
  return olds
    .filter((value) => !news.some((other) => same(value, other)))
    .map((value) => `${place} no longer has the value ${show(value)}.`);
}

/** Answers may grow with their data, so their limits promise nothing. */
function compareLimits(before: Part, now: Part, place: string, { direction }: Comparison): string[] {
  if (direction === 'answer') return [];
  const narrowed = [
    ...UPPER.filter((limit) => now[limit] !== undefined && now[limit] < (before[limit] ?? Infinity)),
    ...LOWER.filter((limit) => now[limit] > (before[limit] ?? (limit.endsWith('imum') ? -Infinity : 0))),
    ...RULES.filter((rule) => now[rule] !== undefined && !same(now[rule], before[rule])),
  ];
  return narrowed.map(
    (limit) => `${place} has the ${limit} ${show(now[limit])}, which was ${show(before[limit]) ?? 'none'}.`,
  );
}

function compareFields(before: Part, now: Part, place: string, comparison: Comparison): string[] {
  const isRequest = comparison.direction === 'request';
  const olds: Part = before.properties ?? {};
  const news: Part = now.properties ?? {};
  const [neededBefore, neededNow]: string[][] = [before.required ?? [], now.required ?? []];
  const changed = Object.entries(olds).flatMap(([name, field]) => {
    const at = `${place}.${name}`;
    const inner = news[name];
    if (inner === undefined) return [`${at} was removed.`];
    return compareSchemas(field, inner, at, comparison);
  });
  const required = isRequest
    ? neededNow!
        .filter((name) => !neededBefore!.includes(name))
        .map((name) => `${place}.${name} is now required.`)
    : neededBefore!
        .filter((name) => !neededNow!.includes(name) && news[name] !== undefined)
        .map((name) => `${place}.${name} may now be missing.`);
  return [...changed, ...required];
}

/** The elements of lists and maps, and rules that all must hold. */
function compareInner(before: Part, now: Part, place: string, comparison: Comparison): string[] {
  const problems = ['items', 'propertyNames', 'additionalProperties'].flatMap((keyword) => {
    const [old, current] = [before[keyword], now[keyword]];
    const at = `${place}.*`;
    const isClosed = current === false && old !== false && comparison.direction === 'request';
    if (isClosed && before.type === 'object') return [`${place} no longer accepts fields of any name.`];
    if (typeof current !== 'object') return [];
    return compareSchemas(typeof old === 'object' ? old : {}, current, at, comparison);
  });
  const lists = ['allOf', 'prefixItems'].flatMap((keyword) => {
    const old: Part[] = before[keyword] ?? [];
    const current: Part[] = now[keyword] ?? [];
    return current.flatMap((schema, index) =>
      compareSchemas(old[index] ?? {}, schema, `${place}.${index}`, comparison),
    );
  });
  return [...problems, ...lists];
}
