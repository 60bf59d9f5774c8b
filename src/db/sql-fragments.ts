import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { jsonParameter } from './prepared.ts';
import type { Db } from './tables.ts';

/**
 * A jsonb parameter. The driver serializes an object as JSON but an array as an SQL array, so every value is cast.
 */
export const json = <T>(value: T): RawBuilder<T> => sql<T>`cast(${jsonParameter(value)} as jsonb)`;

/** A condition for `where` that the query builder cannot express, for example on jsonb. */
export const condition = (text: TemplateStringsArray, ...values: unknown[]): RawBuilder<boolean> =>
  sql<boolean>(text, ...values);

/** The right side of `=` for a list of texts: one array parameter, so that lists of any length share a statement. */
export const anyOf = (values: readonly string[]): RawBuilder<string> =>
  sql<string>`any(cast(${[...values]} as text[]))`;

/** The right side of `<>`: differs from every text of a list. */
export const allOf = (values: readonly string[]): RawBuilder<string> =>
  sql<string>`all(cast(${[...values]} as text[]))`;

/**
 * A condition that names the API key of rows `item` from JSON, if all have the same one: a cluster of database servers reads
 * from the statement, and not from JSON, on which server the rows are.
 */
export function ofTheirKey(items: readonly { apiKeyId: string }[]): RawBuilder<boolean> {
  const [first] = items;
  const isSame = first !== undefined && items.every(({ apiKeyId }) => apiKeyId === first.apiKeyId);
  return isSame ? condition`item."apiKeyId" = ${first.apiKeyId}` : condition`true`;
}

/**
 * Runs a statement that the query builder cannot express, and parses its rows, so that their type is checked and not
 * asserted. Hot paths with many rows use the builder or `prepared`, since parsing costs microseconds per row. `row` is a
 * constant of the module: Zod compiles a schema at its first parse, which costs more than most statements.
 */
export async function rowsOf<Row extends z.ZodType>(
  db: Db,
  row: Row,
  statement: RawBuilder<unknown>,
): Promise<z.output<Row>[]> {
  const { rows } = await statement.execute(db);
  return rows.map((each) => row.parse(each));
}

/** The only row of such a statement. */
export async function rowOf<Row extends z.ZodType>(
  db: Db,
  row: Row,
  statement: RawBuilder<unknown>,
): Promise<z.output<Row>> {
  const { rows } = await statement.execute(db);
  return row.parse(rows[0]);
}

const relationRow = z.object({ isThere: z.boolean() });

/** True if a table or index of this name is in the search path. */
export async function relationExists(db: Db, name: string): Promise<boolean> {
  const { isThere } = await rowOf(db, relationRow, sql`select to_regclass(${name}) is not null as is_there`);
  return isThere;
}
