import { sql } from 'kysely';
import { pageAddress } from '../../annotations/annotation-draft.ts';
import { anyOf, condition } from '../../db/sql-fragments.ts';

/** Words to look for among those of one organization. */
export interface WordSearch {
  apiKeyId: string;
  organizationId: string;
  /** Reads only comments on these documents; by default those of the whole organization. */
  documentIds?: readonly string[] | undefined;
  text: string;
}

/** The characters between words, which are those of `words_in` in the migrations. */
const SEPARATORS = '\t\n\v\f\r\u00a0!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~¡¿«»·‐–—‘’“”„•…、。「」（），：；！？';
const SEPARATOR = new RegExp(`[ ${SEPARATORS.replaceAll(/[\\\]^-]/g, '\\$&')}]+`);

/**
 * The annotations of a list, under their own name. With words to look for, those of the annotations that have them all,
 * or their beginnings, in one comment, or in the suggestion with its finding's title; each is then looked up, because the
 * planner would read the whole table for a few hundred. The comments of the documents or the organization are read for it, at about a
 * microsecond each: an index of their words would make adding a comment half as slow again.
 */
export function annotationsWith(search: WordSearch | undefined) {
  if (!search) return sql`annotations`;
  const { apiKeyId, organizationId, documentIds, text } = search;
  const query = sql`(select cast(string_agg('''' || lexeme || ''':*', ' & ') as tsquery)
    from unnest(words_in(${`${apiKeyId} ${organizationId}`}, ${text})))`;
  const here = sql`api_key_id = ${apiKeyId} and organization_id = ${organizationId}`;
  return sql`(
    select document_id, annotation_id from annotations where ${here} and ${wordsOfSuggestion} @@ ${query}
      and (body -> 'agent' is not null or body -> 'suggestion' is not null)
    union select document_id, annotation_id from comments where ${here}
      ${documentIds ? sql`and document_id = ${anyOf(documentIds)}` : sql``} and ${inComment(text)}) as worded
    cross join lateral (select * from annotations where ${here} and document_id = worded.document_id
      and annotation_id = worded.annotation_id offset 0) as annotations`;
}

// The expressions are those of the indexes in the migrations, which the planner would not use otherwise.
const wordsOfSuggestion = sql`words_in(api_key_id || ' ' || organization_id,
  coalesce(body #>> '{agent,reason,title}', '') || ' ' || coalesce(body #>> '{suggestion,summary}', '') || ' '
  || coalesce(body #>> '{suggestion,oldValue}', '') || ' ' || coalesce(body #>> '{suggestion,newValue}', ''))`;

const textOfComment = sql`translate(lower(left(
  coalesce(nullif(body ->> 'commentText', ''), regexp_replace(body ->> 'commentHtml', '<[^>]*>', ' ', 'g')), 20000)),
  ${SEPARATORS}, ${' '.repeat([...SEPARATORS].length)})`;

/** True for comments that have all words of a text, or words that begin with them. */
const inComment = (text: string) => {
  const words = [...new Set(text.split(SEPARATOR).filter((word) => word !== ''))];
  const conditions = words.map(
    (word) => sql`strpos(' ' || ${textOfComment}, ' ' || lower(left(${word}, 64))) > 0`,
  );
  return conditions.length === 0 ? sql`false` : sql.join(conditions, sql` and `);
};

const pageKey = sql`page_key(coalesce(annotations.agent_url, annotations.body #>> '{pageInfo,url}'))`;

/** Addresses are looked for as they are and as browsers write them, since people's may have been stored as either. */
export const onPages = (urls: string[]) => {
  const forms = urls.flatMap((url) => [url, pageAddress(url) ?? url]);
  return condition`${pageKey} in (${sql.join([...new Set(forms)].map((url) => sql`page_key(${url})`))})`;
};
