import { type RawBuilder, sql } from 'kysely';
import { MOST_OF_PART, MOST_OF_TYPE } from '../../annotations/decisions/judgment-text.ts';

const at = (row: string, path: string[]): RawBuilder<unknown> =>
  sql`${sql.ref(`${row}.body`)} #>> ${sql.lit(`{${path.join(',')}}`)}`;

/** A text within the body of a row, trimmed and cut; null if it is empty or no string. */
const inBody = (row: string, path: string[], most: number): RawBuilder<string | null> => sql`
  case when jsonb_typeof(${sql.ref(`${row}.body`)} #> ${sql.lit(`{${path.join(',')}}`)}) = 'string'
    then nullif(left(btrim(${at(row, path)}, e' \\t\\r\\n'), ${sql.lit(most)}), '') end`;

/** `contentOf` of `annotations/decisions/judgment-text.ts`, for a statement that has the annotation as a row. */
export const contentInSql = (row: string): RawBuilder<string | null> => {
  const part = (...path: string[]) => inBody(row, path, MOST_OF_PART);
  return sql`nullif(concat_ws(e'\\n', ${part('suggestion', 'summary')}, ${part('suggestion', 'oldValue')},
    ${part('suggestion', 'newValue')}, ${part('targetElement', 'targetText')},
    coalesce(${part('agent', 'url')}, ${part('pageInfo', 'url')})), '')`;
};

/** `contentTypeOf` of the same file. */
export const contentTypeInSql = (row: string): RawBuilder<string> => {
  const body = sql.ref(`${row}.body`);
  return sql`coalesce(${inBody(row, ['agent', 'reason', 'issueType'], MOST_OF_TYPE)}, case
    when ${body} -> 'isPageAnnotation' = 'true' then 'page'
    when ${inBody(row, ['targetElement', 'targetText'], 1)} is not null then 'text'
    when jsonb_typeof(${body} -> 'positionX') = 'number' then 'pin' else 'comment' end)`;
};
