import { type RawBuilder, sql } from 'kysely';

/** A jsonb parameter. Both drivers take an object as it is, but the one for PostgreSQL takes an array for one of SQL. */
export const json = <T>(value: T): RawBuilder<T> => sql<T>`cast(${JSON.stringify(value)} as jsonb)`;
