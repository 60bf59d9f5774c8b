import { type Kysely, sql } from 'kysely';

/** The columns by which tables refer to a document. */
const DOCUMENT = 'api_key_id, organization_id, document_id';

/** Characters that separate words. A list and no pattern, because classes of characters depend on the locale. */
const SEPARATORS = '\t\n\v\f\r\u00a0!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~¡¿«»·‐–—‘’“”„•…、。「」（），：；！？';

/** Lists that filter by one of these are sorted by last update, so each index ends with that order. */
const annotationIndexes = [
  ['annotations_on_page', "page_key(coalesce(agent_url, body #>> '{pageInfo,url}'))"],
  ['annotations_by_suggestion_status', 'suggestion_status'],
  ['annotations_by_severity', "left(body #>> '{agent,reason,severity}', 100)"],
  ['annotations_by_issue_type', "md5(body #>> '{agent,reason,issueType}')"],
].map(
  ([name, key]) => `create index ${name} on annotations
    (api_key_id, organization_id, (${key}), last_updated, document_id, annotation_id) where ${key} is not null`,
);

// Functions of an index may call only those of PostgreSQL itself, since it looks for no others while it builds one.
const statements = [
  // Short, however long the address is, since an index takes no long keys. Null for what is no web page.
  `create function page_key(url text) returns text language plpgsql immutable strict parallel safe as $$
    declare parts text[] := regexp_match(btrim(url), '^(https?)://([^/?#]+)([^#]*)', 'i');
    begin
      return md5(
        regexp_replace(lower(parts[1] || '://' || parts[2]), '^(?:(http://.*):80|(https://.*):443)$', '\\1\\2')
        || case when parts[3] like '/%' then '' else '/' end || parts[3]);
    end $$`,
  // The words carry their tenant, so that a search never reads those of others.
  `create function words_in(scope text, content text) returns tsvector
    language plpgsql immutable parallel safe as $$
    begin
      return array_to_tsvector(array(select left(md5(scope), 8) || left(word, 64)
        from string_to_table(translate(lower(left(content, 20000)),
          ${literal(SEPARATORS)}, repeat(' ', ${[...SEPARATORS].length})), ' ') as word
        where word <> ''));
    end $$`,
  ...annotationIndexes,
  `create index annotations_by_words on annotations using gin (words_in(api_key_id || ' ' || organization_id,
      coalesce(body #>> '{agent,reason,title}', '') || ' ' || coalesce(body #>> '{suggestion,summary}', '') || ' '
      || coalesce(body #>> '{suggestion,oldValue}', '') || ' ' || coalesce(body #>> '{suggestion,newValue}', '')))
    with (fastupdate = off) where body -> 'agent' is not null or body -> 'suggestion' is not null`,
  // A comment id of -1 stands for the annotation itself.
  `create table reactions (
    api_key_id text not null, organization_id text not null, document_id text not null,
    annotation_id text not null, comment_id bigint not null, reaction_id text not null, user_id text not null,
    author jsonb not null, created_at bigint not null,
    primary key (${DOCUMENT}, annotation_id, comment_id, reaction_id, user_id),
    foreign key (${DOCUMENT}, annotation_id) references annotations on delete cascade on update cascade)`,
  `create index reactions_in_order on reactions
    (${DOCUMENT}, annotation_id, created_at, comment_id, reaction_id, user_id)`,
  `create index reactions_of_user on reactions
    (api_key_id, user_id, organization_id, document_id, annotation_id, comment_id, reaction_id)`,
];

function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
