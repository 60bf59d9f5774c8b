import { type Kysely, sql } from 'kysely';

const statements = [
  // A row for each finding, since a page may have tens of thousands and a reader asks for a hundred.
  `create table execution_findings (
    api_key_id text not null, execution_id text not null, page_position integer not null, number integer not null,
    cause_id text not null, severity text not null, comparison text, decision text, body jsonb not null,
    primary key (api_key_id, execution_id, page_position, number),
    foreign key (api_key_id, execution_id) references executions on delete cascade)`,
  'alter table execution_pages add column finding_count integer not null default 0',
  // Earlier versions did not name causes, so each of their findings has one of its own.
  `insert into execution_findings
    select page.api_key_id, page.execution_id, page.position, found.number - 1,
      md5(concat(page.url, ' ', found.number)), found.body ->> 'severity', found.body ->> 'comparison', null, found.body
    from execution_pages page
    cross join jsonb_array_elements(page.findings) with ordinality as found(body, number)
    where jsonb_typeof(page.findings) = 'array'`,
  `update execution_pages set finding_count = jsonb_array_length(findings)
    where jsonb_typeof(findings) = 'array'`,
  'alter table execution_pages drop column findings',
  `create index execution_findings_of_cause on execution_findings
    (api_key_id, execution_id, cause_id, page_position, number)`,
  `create index execution_findings_by_severity on execution_findings
    (api_key_id, execution_id, severity, page_position, number)`,
  `create table execution_causes (
    api_key_id text not null, execution_id text not null, cause_id text not null, position integer not null,
    severity text not null, places integer not null, open_places integer not null, new_places integer not null,
    fixed_places integer not null, pages integer not null, annotation_id text, body jsonb not null,
    primary key (api_key_id, execution_id, cause_id),
    foreign key (api_key_id, execution_id) references executions on delete cascade)`,
  'create unique index execution_causes_in_order on execution_causes (api_key_id, execution_id, position)',
  // What the crawl of a run shows about the words of the site; another process that resumes the run reads it.
  `create table execution_site_words (
    api_key_id text not null, execution_id text not null, words text not null,
    primary key (api_key_id, execution_id),
    foreign key (api_key_id, execution_id) references executions on delete cascade)`,
  // The cause that a suggestion of an agent is about.
  'alter table annotations add column cause_id text',
  `create index annotations_of_cause on annotations (api_key_id, organization_id, document_id, cause_id)
    where cause_id is not null`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
