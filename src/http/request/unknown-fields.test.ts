import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkedAs, ignoringOthers } from '../../shapes/field-use.ts';
import { MAX_WARNINGS, unknownFieldFinder } from './unknown-fields.ts';

const warningsOf = (schema: z.ZodType, data: unknown, beside: string[] = []) => {
  const { find, warningsOf } = unknownFieldFinder(schema);
  return warningsOf(find({ data, beside }));
};
const unknownIn = (schema: z.ZodType, data: unknown): string[] =>
  warningsOf(schema, data).warnings.map(({ path }) => path.join('.'));

const point = z.object({ x: z.number() });
interface Folder {
  name: string;
  inner?: Folder[] | undefined;
}
const folder: z.ZodType<Folder> = z.lazy(() =>
  z.object({ name: z.string(), inner: z.array(folder).optional() }),
);

test.each<[string, z.ZodType, unknown, string[]]>([
  ['an object', point, { x: 1, y: 2 }, ['y']],
  ['fields in their order', point, { b: 1, x: 1, a: 1 }, ['b', 'a']],
  ['a loose object', z.looseObject({ x: point }), { y: 1, x: { x: 1, z: 1 } }, ['x.z']],
  [
    'a strict object, which refuses them on its own',
    z.strictObject({ x: point }),
    { y: 1, x: { y: 1 } },
    ['x.y'],
  ],
  ['a catchall', z.object({ x: z.number() }).catchall(point), { z: { y: 1 } }, ['z.y']],
  ['a list', z.array(point), [{ x: 1 }, { y: 1 }], ['1.y']],
  ['a tuple', z.tuple([z.string(), point], point), ['a', { y: 1 }, { z: 1 }], ['1.y', '2.z']],
  ['a record', z.record(z.string(), point), { any: { y: 1 } }, ['any.y']],
  ['a record of anything', z.record(z.string(), z.unknown()), { any: { y: 1 } }, []],
  ['wrapped schemas', point.optional().nullable().default({ x: 1 }).readonly(), { y: 1 }, ['y']],
  ['a fallback', point.catch({ x: 1 }), { y: 1 }, ['y']],
  ['a refinement', point.refine(() => true).superRefine(() => {}), { y: 1 }, ['y']],
  ['a transform', point.transform(({ x }) => x), { y: 1 }, ['y']],
  ['a pipe', point.pipe(z.object({ x: z.number(), y: z.number() })), { y: 1 }, ['y']],
  [
    'a function before the schema, which may read anything',
    z.preprocess((value) => value, point),
    { y: 1 },
    [],
  ],
  ['a union with a text', z.union([z.string(), point]), { y: 1 }, ['y']],
  [
    'a union: a field of the matching member',
    z.union([point, z.object({ y: z.number() })]),
    { y: 1, z: 1 },
    ['z'],
  ],
  [
    'a union: fields of all matching members',
    z.union([z.object({ x: z.number().optional() }), z.object({ y: z.number().optional() })]),
    { x: 1, y: 1, z: 1 },
    ['z'],
  ],
  ['a union with anything', z.union([point, z.unknown()]), { y: 1 }, []],
  [
    'a discriminated union',
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), x: z.number() }),
      z.object({ kind: z.literal('b'), y: z.number() }),
    ]),
    { kind: 'a', x: 1, y: 1 },
    ['y'],
  ],
  ['an intersection', z.intersection(point, z.object({ y: z.number() })), { x: 1, y: 1, z: 1 }, ['z']],
  ['a schema that contains itself', folder, { name: 'a', inner: [{ name: 'b', size: 1 }] }, ['inner.0.size']],
  [
    'a loose object that ignores others',
    ignoringOthers(z.looseObject({ x: point })).refine(() => true),
    { y: 1 },
    ['y'],
  ],
  ['a value that is checked later', checkedAs(z.unknown(), point), { y: 1 }, ['y']],
])('unknown fields are found in %s', (_name, schema, data, expected) => {
  expect(unknownIn(schema, data)).toEqual(expected);
});

const comments = z.object({
  organizationId: z.string(),
  pageSize: z.number().optional(),
  documentIds: z.array(z.string()).optional(),
  maxUrlsToProcess: z.number().optional(),
  comments: z.array(z.object({ id: z.number(), triggerNotification: z.boolean() })),
});

test.each<[string, string | undefined]>([
  ['organization_id', 'data.organizationId'],
  ['organizationID', 'data.organizationId'],
  ['organisationId', 'data.organizationId'],
  ['documentId', 'data.documentIds'],
  ['pageSzie', 'data.pageSize'],
  ['maxUrls', 'data.maxUrlsToProcess'],
  ['triggerNotification', 'data.comments[].triggerNotification'],
  ['trigger_notification', 'data.comments[].triggerNotification'],
  ['id', undefined],
  ['maxPages', undefined],
  ['x'.repeat(100_000), undefined],
])('the field that was meant by %.30s', (name, suggestion) => {
  const [warning] = warningsOf(comments, { organizationId: 'acme', comments: [], [name]: 1 }).warnings;
  expect(warning?.suggestion).toBe(suggestion);
  expect(warning!.message.length).toBeLessThan(300);
});

test('a suggestion names the very entry of a list', () => {
  const data = { organizationId: 'acme', comments: [{ id: 1 }, { id: 2, triggerNotifications: true }] };
  expect(warningsOf(comments, data)).toEqual({
    warnings: [
      {
        path: ['comments', 1, 'triggerNotifications'],
        code: 'unknown_field',
        message:
          'data.comments[1].triggerNotifications is not a field of this operation; did you mean data.comments[1].triggerNotification?',
        suggestion: 'data.comments[1].triggerNotification',
      },
    ],
  });
});

test('fields next to data are reported first', () => {
  const { warnings } = warningsOf(comments, { limit: 1 }, ['organizationId', 'version']);
  expect(warnings.map(({ code, message }) => [code, message])).toEqual([
    [
      'beside_data',
      'organizationId lies beside data, where it is not read; did you mean data.organizationId?',
    ],
    ['beside_data', 'version lies beside data, where it is not read; parameters belong in data.'],
    ['unknown_field', 'data.limit is not a field of this operation.'],
  ]);
});

test('further warnings are counted', () => {
  const data = Object.fromEntries(Array.from({ length: MAX_WARNINGS + 7 }, (_, index) => [`f${index}`, 1]));
  const { warnings, warningsOmitted } = warningsOf(point, data);
  expect([warnings.length, warningsOmitted]).toEqual([MAX_WARNINGS, 7]);
});
