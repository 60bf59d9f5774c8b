import { type SqlBool, sql } from 'kysely';

/** A condition in SQL text, for what the query builder does not know; values are bound as parameters. */
export const condition = sql<SqlBool>;
