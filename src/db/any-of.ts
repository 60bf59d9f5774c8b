import { type RawBuilder, sql } from 'kysely';

/** The right side of `=` for a list of texts: one array parameter, so that lists of any length share a statement. */
export const anyOf = (values: readonly string[]): RawBuilder<string> =>
  sql<string>`any(cast(${[...values]} as text[]))`;

/** The right side of `<>`: differs from every text of a list. */
export const allOf = (values: readonly string[]): RawBuilder<string> =>
  sql<string>`all(cast(${[...values]} as text[]))`;
