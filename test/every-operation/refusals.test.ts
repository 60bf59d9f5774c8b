import { describe, expect, test } from 'vitest';
import { issuesOf } from '../../src/http/request/parse.ts';
import { build, onlyTo } from './bodies.ts';
import { type Kind, kindOf, type Place } from './id-fields.ts';
import { problemsOf, resolve, type Schema } from './json-schema.ts';
import { distinct, type Operation } from './operations.ts';
import { type Field, fieldsOf, valueAt, withValue } from './places.ts';
import { ask, runAndRestore, sharedStage, validBody } from './validate.ts';

/** Kinds of objects with ids that callers assign. */
const CALLERS_OWN: readonly Kind[] = [
  ...(['organization', 'folder', 'document', 'user', 'userGroup', 'location', 'annotation'] as const),
  ...(['notification', 'activity', 'editor', 'liveState'] as const),
];

/** Of these, a schema of any type excludes most. */
const ANYTHING = [undefined, null, true, -1, 7, 1.5, '', ' ', 'unheard of: a/b', [], [null], {}, { a: null }];

/** The schema itself, and all that it may be instead or must be as well. */
function formsOf(schema: Schema): Schema[] {
  const here = resolve(schema);
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => (here[keyword] ?? []) as Schema[]);
  return [here, ...parts.flatMap(formsOf)];
}

/** Values beyond the limits of a schema. */
function beyond(schema: Schema, sample: unknown): unknown[] {
  const { minimum, maximum, maxLength, maxItems } = schema as Record<string, number | undefined>;
  return [
    ...(minimum === undefined ? [] : [minimum - 1]),
    ...(maximum === undefined ? [] : [maximum + 1]),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(maxItems === undefined ? [] : [Array(maxItems + 1).fill(Array.isArray(sample) ? sample[0] : 'x')]),
    ...(schema.additionalProperties === false ? [{ ...(sample as object), unheardOf: 1 }] : []),
  ];
}

/** Bodies that the reference excludes for the value of one field. */
function* wrongBodies({ request }: Operation, { place, schema, required }: Field): Generator<unknown> {
  const base = build(request, onlyTo(place), () => undefined);
  const sample = valueAt(base, place);
  const values = [...ANYTHING, ...formsOf(schema).flatMap((form) => beyond(form, sample))];
  for (const value of values) {
    if (value === undefined ? !required || place.at(-1) === '*' : problemsOf(schema, value).length === 0)
      continue;
    const body = withValue(base, place, value);
    if (problemsOf(request, body).length > 0) yield body;
  }
}

const overlap = (issue: readonly PropertyKey[], place: Place): boolean =>
  place.every((part, index) => index >= issue.length || String(issue[index]) === (part === '*' ? '0' : part));

/** True if the operation refuses the body for a field. */
function isRefused({ endpoint }: Operation, body: unknown, place: Place): boolean {
  const { error } = endpoint.data.safeParse(body);
  return error !== undefined && issuesOf(error).some(({ path }) => overlap(path, place));
}

const short = (value: unknown): string => JSON.stringify(value)?.slice(0, 60) ?? 'nothing';

/** Operations that check the parts of a request one by one, or after they are joined with what is stored. */
const CHECKED_LATER: readonly string[] = [
  '/v2/agents/create',
  '/v2/agents/version/update',
  '/v2/agents/versions/create',
  '/v2/memory/judgments/add',
];
/** Fields that are looked at only without another one. */
const IGNORED = ['/v2/agents/get filter'];

let tried = 0;

const checkedAtOnce = distinct.filter(({ path }) => !CHECKED_LATER.includes(path));

describe.each(checkedAtOnce)('$path', (operation) => {
  test('refuses what the reference excludes, in each field', () => {
    const accepted: string[] = [];
    for (const field of fieldsOf(operation.request)) {
      for (const body of wrongBodies(operation, field)) {
        tried += 1;
        if (!isRefused(operation, body, field.place))
          accepted.push(`${field.place.join('.')}: ${short(valueAt(body, field.place))}`);
      }
    }
    expect(accepted).toEqual([]);
  });
});

/** A field at the top of the requests of an operation, with a value that the reference excludes. */
function firstWrong({ path, request }: Operation): { place: Place; wrong: unknown } | undefined {
  for (const { place, schema } of fieldsOf(request)) {
    if (place.length > 1 || IGNORED.includes(`${path} ${place}`)) continue;
    const wrong = [{ a: [] }, 'unheard of: a/b', []].find((value) => problemsOf(schema, value).length > 0);
    if (wrong !== undefined) return { place, wrong };
  }
  return undefined;
}

const withFields = distinct.flatMap((operation) => {
  const first = firstWrong(operation);
  return first ? [{ ...first, operation, path: operation.path }] : [];
});

describe.each(withFields)('$path', ({ operation, place, wrong }) => {
  test('answers a refused request with 400, and changes nothing', async () => {
    const stage = await sharedStage();
    const body = withValue(await validBody(operation, stage), place, wrong);
    const [reply, changed] = await runAndRestore(stage, () => ask(operation, stage.a, body));
    expect([reply.status, reply.body.error?.status, changed]).toEqual([400, 'INVALID_ARGUMENT', []]);
  });
});

/** Required texts at the top of requests that may be blank: what they name is then not found. */
const MAY_BE_BLANK = [
  ...['alertId', 'authToken', 'clientId', 'invitationId', 'jobId', 'memberId', 'migrationId', 'mimeType'],
  ...['model', 'redirectUri', 'sessionId', 'sourceId', 'tokenId'],
];

test('no text that an operation needs is empty or blank', () => {
  const accepting = (text: string) =>
    checkedAtOnce.flatMap((operation) =>
      fieldsOf(operation.request)
        .filter(({ place, schema, required }) => required && place.length === 1 && schema.type === 'string')
        .filter(({ place }) => {
          const base = build(operation.request, onlyTo(place), () => undefined);
          return !isRefused(operation, withValue(base, place, text), place);
        })
        .map(({ place }) => place[0]!),
    );
  expect(accepting('')).toEqual([]);
  expect([...new Set(accepting(' '))].sort()).toEqual(MAY_BE_BLANK);
});

/** Places of ids that are only repeated or looked for. */
const NAMES = /(ranBy|actionUser|recipientUser)\.userId$|locationIds\.\*$|userProperties\.organizationId$/;

test('no id that callers assign is blank', () => {
  const lax = distinct.flatMap(({ path, request }) =>
    fieldsOf(request)
      .filter(({ place }) => CALLERS_OWN.includes(kindOf(place)!))
      .filter(({ place, schema }) => !NAMES.test(place.join('.')) && problemsOf(schema, ' ').length === 0)
      .map(({ place }) => `${path} ${place.join('.')}`),
  );
  expect(lax).toEqual([]);
});

test('thousands of wrong values were tried', () => {
  expect(tried).toBeGreaterThan(10_000);
});
