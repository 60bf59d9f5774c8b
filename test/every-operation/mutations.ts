import fc from 'fast-check';
import { type Kind, kindOf } from './id-fields.ts';
import type { Operation } from './operations.ts';
import { type Field, fieldsOf, withValue } from './places.ts';
import { idIn, unknownId, type World } from './world.ts';

/** Raw JSON, for numbers that no JavaScript value serializes to. */
declare global {
  interface JSON {
    rawJSON(text: string): unknown;
  }
}

type Values = fc.Arbitrary<unknown>;

const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce((inner) => ({ a: inner }), 1 as unknown);

const wrongType = fc.constantFrom<unknown[]>(
  null,
  true,
  0,
  1.5,
  '',
  ' ',
  [],
  {},
  [[]],
  [null],
  [{}],
  { a: 1 },
  { length: 3 },
);
const numbers = fc.constantFrom<unknown[]>(
  JSON.rawJSON('-0'),
  JSON.rawJSON('1e308'),
  JSON.rawJSON('1e400'),
  JSON.rawJSON('12345678901234567890'),
  JSON.rawJSON('-1e-320'),
  -1,
  2 ** 31,
  2 ** 53,
  8.64e15,
  8.64e15 + 1,
  -8.64e15,
  1e11,
  0.1,
);
const texts = fc.oneof(
  fc.constantFrom(
    '\u0000',
    'a\u0000b',
    '\ud800',
    'x\udfff',
    '\u202eabc',
    '\u200b',
    '🙂'.repeat(3),
    'İ',
    'ß',
    'e\u0301',
    "'; drop table agents; --",
    "' or '1'='1",
    '%',
    '_%\\',
    '$1',
    '{"a":1}',
    '{{userId}}',
    '{actionUser}',
    '<script>alert(1)</script>',
    '../../etc/passwd',
    'null',
    'undefined',
    'NaN',
    '0001-01-01',
    '+275760-09-13T00:00:00.000Z',
    '9999-12-31T23:59:59Z',
    '__redacted__',
    'http://169.254.169.254/',
    'javascript:alert(1)',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(513, 2_001, 100_000).map((length) => 'x'.repeat(length)),
  // Surrogate pairs at even and odd offsets, for code that truncates texts.
  fc
    .tuple(fc.constantFrom('', 'x'), fc.constantFrom(8, 100, 2_500))
    .map(([start, count]) => start + '🙂'.repeat(count)),
);
const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'length', ''];
const structures = fc.oneof(
  fc.constantFrom(40, 59, 70, 500).map(nested),
  fc.constantFrom(...names).map((name) => Object.fromEntries([[name, { isAdmin: true }]])),
  fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
);

/** Values at the limits of the schema, and one step beyond. */
function boundaryValues({ schema }: Field, sample: unknown): Values[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema as Record<string, number>;
  const values: unknown[] = [];
  for (const limit of [minimum, maximum]) if (limit !== undefined) values.push(limit - 1, limit, limit + 1);
  for (const limit of [minLength, maxLength]) {
    if (limit === undefined) continue;
    for (const length of [limit - 1, limit, limit + 1]) values.push('x'.repeat(Math.max(0, length)));
  }
  const counts = [
    0,
    1,
    ...[minItems, maxItems].flatMap((limit) => (limit === undefined ? [] : [limit, limit + 1])),
  ];
  if (schema.type === 'array') {
    const item = Array.isArray(sample) ? sample[0] : 'x';
    for (const count of counts) values.push(Array<unknown>(count).fill(item));
  }
  return values.length > 0 ? [fc.constantFrom(...values)] : [];
}

const ids = (kind: Kind, a: World, b: World): Values =>
  fc.constantFrom<unknown[]>(
    idIn(a, kind),
    a.own[kind],
    b.own[kind],
    unknownId(kind),
    // An id of another kind.
    idIn(a, 'document'),
    b.workspace.apiKeyId,
  );

/** Invalid values for a field, and ids of another tenant. */
function valuesFor(field: Field, sample: unknown, a: World, b: World): Values {
  const kind = kindOf(field.place);
  const choices = (field.schema.enum as unknown[] | undefined) ?? [];
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 3, arbitrary: wrongType },
    { weight: 2, arbitrary: numbers },
    { weight: 3, arbitrary: texts },
    { weight: 2, arbitrary: structures },
    ...boundaryValues(field, sample).map((arbitrary) => ({ weight: 4, arbitrary })),
    ...(choices.length > 0 ? [{ weight: 4, arbitrary: fc.constantFrom(...choices) }] : []),
    ...(kind !== undefined && field.schema.type !== 'array'
      ? [{ weight: 6, arbitrary: ids(kind, a, b) }]
      : []),
  );
}

const extraField = fc
  .tuple(
    fc.constantFrom(...names, 'unheardOf', 'apiKeyId', 'id'),
    fc.constantFrom<unknown[]>(1, 'x', {}, null),
  )
  .map(([name, value]) => (body: unknown) => ({
    ...(body as object),
    ...Object.fromEntries([[name, value]]),
  }));

/**
 * Requests to an operation as JSON: the valid `bases`, and variants with up to three fields added, removed or made
 * invalid.
 */
export function requests(operation: Operation, bases: unknown[], a: World, b: World): fc.Arbitrary<string> {
  const fields = fieldsOf(operation.request);
  const changes: fc.Arbitrary<(body: unknown) => unknown>[] = fields.map((field) => {
    const sample = bases.reduce<unknown>((found, base) => found ?? sampleAt(base, field), undefined);
    return valuesFor(field, sample, a, b).map(
      (value) => (body: unknown) => withValue(body, field.place, value),
    );
  });
  // Fields near the root are likelier: deep schemas have hundreds of fields that share one check.
  const weighted = changes.map((arbitrary, index) => ({
    weight: fields[index]!.place.length > 3 ? 1 : 6,
    arbitrary,
  }));
  const change = fc.oneof({ weight: 2, arbitrary: extraField }, ...weighted);
  return fc
    .tuple(fc.constantFrom(...bases), fc.array(change, { maxLength: 3, size: 'max' }))
    .map(([base, applied]) => JSON.stringify({ data: applied.reduce((body, apply) => apply(body), base) }));
}

const sampleAt = (base: unknown, { place }: Field): unknown =>
  place.reduce<unknown>(
    (value, part) => (value as Record<string, unknown> | null | undefined)?.[part === '*' ? 0 : part],
    base,
  );
