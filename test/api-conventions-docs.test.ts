import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { endpoints } from '../src/api/index.ts';
import type { Endpoint } from '../src/http/endpoint.ts';
import { httpStatus } from '../src/http/envelope.ts';
import { tableRows } from './house/docs-tables.ts';

const docs = readFileSync(join(import.meta.dirname, '../docs/api-conventions.md'), 'utf8');

const rowsUnder = (heading: string): string[][] =>
  tableRows(docs, heading).map((row) => row.map((cell) => cell.replaceAll('`', '')));

const pathsOf = ({ path }: Endpoint): string[] => [path].flat();
const isCurrent = (path: string) => path.startsWith('/v2/');
interface Shape {
  properties?: object;
  anyOf?: Shape[];
}

/** Fields of an object, or of any object of a union. */
const fieldsOf = (schema: z.ZodType): Set<string> => {
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape;
  return new Set([shape, ...(shape.anyOf ?? [])].flatMap(({ properties = {} }) => Object.keys(properties)));
};
const endpointAt = (path: string): Endpoint => {
  const found = endpoints.find((endpoint) => pathsOf(endpoint).includes(path));
  if (!found) throw new Error(`No endpoint at ${path}.`);
  return found;
};

const CURSORS = ['pageToken', 'iterator', 'after'];

test('the table of lists has every list, with its fields for paging', () => {
  const rows = rowsUnder('Operation | It lists');
  const listed = rows.map(([path]) => path!);
  expect(new Set(listed).size).toBe(listed.length);
  const isList = (endpoint: Endpoint) =>
    /^(List|Get one agent, or list)\b/.test(endpoint.summary) || endpoint.page !== undefined;
  const lists = endpoints.filter(isList).flatMap(pathsOf).filter(isCurrent);
  expect(lists.filter((path) => !listed.includes(path))).toEqual([]);
  for (const [path, , send, answer] of rows) {
    const endpoint = endpointAt(path!);
    const fields = fieldsOf(endpoint.data);
    const sent = send === 'nothing' ? [] : send!.split(', ');
    expect([path, sent.filter((field) => !fields.has(field))]).toEqual([path, []]);
    expect([path, CURSORS.filter((field) => fields.has(field))]).toEqual([
      path,
      CURSORS.filter((field) => sent.includes(field)),
    ]);
    const [, beside, within] = /^result\.(?:data\.(\w+)|(\w+))$/.exec(answer!) ?? [];
    expect([path, endpoint.page]).toEqual([path, within]);
    if (beside) expect([path, fieldsOf(endpoint.result).has(beside)]).toEqual([path, true]);
    else if (!within) expect([path, answer]).toEqual([path, 'all at once']);
  }
});

test('the table of operations for user tokens is complete', () => {
  const open = endpoints.filter(({ auth }) => auth === 'apiKeyOrUser').flatMap(pathsOf);
  const listed = rowsUnder('Operation | What it does').map(([path]) => path!);
  expect(listed.sort()).toEqual(open.filter(isCurrent).sort());
  const older = open.filter((path) => !isCurrent(path)).map((path) => path.replace('/v1/', '/v2/'));
  expect(older.filter((path) => !listed.includes(path))).toEqual([]);
});

test('the table of errors has every status, with its HTTP status', () => {
  const listed = rowsUnder('`error.status` | HTTP').map(([status, code]) => [
    status!,
    Number.parseInt(code!, 10),
  ]);
  expect(Object.fromEntries(listed)).toEqual(httpStatus);
});
