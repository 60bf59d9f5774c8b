import { type Kysely, sql } from 'kysely';

/** The same recipe as `review/findings/finding-fingerprint.ts`; findings of earlier versions may have no cause. */
const fingerprints = `
  select finding.api_key_id, finding.execution_id, finding.page_position, finding.number,
    split_part(page.url, '#', 1) as page_url,
    md5(concat_ws(E'\\n', run.agent_id, split_part(page.url, '#', 1), finding.body ->> 'issueType', subject.words,
      row_number() over (partition by finding.api_key_id, finding.execution_id, split_part(page.url, '#', 1),
        finding.body ->> 'issueType', subject.words order by finding.page_position, finding.number))) as fingerprint
  from execution_findings finding
  join executions run using (api_key_id, execution_id)
  join execution_pages page on page.api_key_id = finding.api_key_id and page.execution_id = finding.execution_id
    and page.position = finding.page_position
  cross join lateral (select coalesce(finding.body ->> 'causeId',
    md5(lower(coalesce(nullif(finding.body ->> 'targetText', ''), finding.body ->> 'title', '')))) as words) subject`;

const decisionOf = `case when annotation.suggestion_status in ('accepted', 'rejected') then annotation.suggestion_status
  when annotation.body #>> '{status,type}' = 'terminal' and annotation.body #> '{agent,repaired}' is null
    then 'resolved' end`;

const statements = [
  // A finding over all runs that saw it. Runs without a document have neither organization nor document.
  `create table finding_records (
    api_key_id text not null, finding_id text not null, organization_id text, document_id text,
    fingerprint text not null, agent_id text not null, page_hash text not null, page_url text not null,
    severity text not null, issue_type text not null, state text not null, decision text, decided_at bigint,
    decided jsonb, annotation_id text, first_seen_at bigint not null, last_seen_at bigint not null,
    seen_count integer not null, first_execution_id text not null, last_execution_id text not null,
    fixed_at bigint, fixed_execution_id text, body jsonb not null,
    primary key (api_key_id, finding_id),
    foreign key (api_key_id, organization_id, document_id) references documents on delete cascade)`,
  // Rows without a document exist once, too.
  `create unique index finding_records_by_fingerprint on finding_records
    (api_key_id, fingerprint, organization_id, document_id) nulls not distinct`,
  'create index finding_records_in_order on finding_records (api_key_id, last_seen_at, finding_id)',
  `create index finding_records_of_document on finding_records
    (api_key_id, organization_id, document_id, last_seen_at, finding_id)`,
  `create index finding_records_of_agent on finding_records (api_key_id, agent_id, last_seen_at, finding_id)`,
  `create index finding_records_of_page on finding_records (api_key_id, page_hash, last_seen_at, finding_id)`,
  `create index finding_records_of_annotation on finding_records
    (api_key_id, organization_id, document_id, annotation_id) where annotation_id is not null`,
  `alter table execution_findings add column fingerprint text not null default ''`,
  `update execution_findings finding set fingerprint = made.fingerprint,
      body = finding.body || jsonb_build_object('fingerprint', made.fingerprint)
    from (${fingerprints}) made
    where finding.api_key_id = made.api_key_id and finding.execution_id = made.execution_id
      and finding.page_position = made.page_position and finding.number = made.number`,
  `create index execution_findings_by_fingerprint on execution_findings (api_key_id, fingerprint, execution_id)`,
  `insert into finding_records
    select api_key_id, 'fnd_' || md5(concat_ws(E'\\n', fingerprint, organization_id, document_id)),
      organization_id, document_id, fingerprint, agent_id, md5(page_url), page_url, severity, issue_type,
      case when not is_in_last_run then 'fixed' when first_execution_id = execution_id then 'new' else 'still_there' end,
      decision, case when decision is not null then decided_at end, null, annotation_id, first_seen_at, seen_at,
      seen_count, first_execution_id, execution_id, case when not is_in_last_run then last_at end,
      case when not is_in_last_run then last_execution_id end, body
    from (
      select seen.*, ${decisionOf} as decision, annotation.last_updated as decided_at, annotation.annotation_id
      from (
        select finding.api_key_id, finding.execution_id, document.organization_id, document.document_id,
          finding.fingerprint, run.agent_id, split_part(page.url, '#', 1) as page_url, finding.severity,
          coalesce(finding.body ->> 'issueType', '') as issue_type,
          finding.body - '{decision,decidedBy,reason,comparison,commentId}'::text[] as body,
          coalesce(cause.annotation_id, finding.body ->> 'commentId') as suggestion_id,
          coalesce(page.processed_at, run.started_at) as seen_at,
          row_number() over (by_fingerprint order by run.started_at desc, finding.execution_id desc,
            finding.page_position) as place,
          first_value(finding.execution_id) over in_time as first_execution_id,
          first_value(coalesce(page.processed_at, run.started_at)) over in_time as first_seen_at,
          count(*) over by_fingerprint as seen_count,
          last.execution_id as last_execution_id, last.at as last_at,
          last.execution_id = finding.execution_id as is_in_last_run
        from execution_findings finding
        join executions run using (api_key_id, execution_id)
        join execution_pages page on page.api_key_id = finding.api_key_id and page.execution_id = finding.execution_id
          and page.position = finding.page_position
        left join documents document on document.api_key_id = run.api_key_id
          and document.organization_id = run.organization_id and document.document_id = run.document_id
        left join execution_causes cause on cause.api_key_id = finding.api_key_id
          and cause.execution_id = finding.execution_id and cause.cause_id = finding.cause_id
        join (
          select distinct on (run.api_key_id, run.agent_id, run.organization_id, run.document_id, page.url)
            run.api_key_id, run.agent_id, run.organization_id, run.document_id, page.url, run.execution_id,
            coalesce(page.processed_at, run.started_at) as at
          from executions run join execution_pages page using (api_key_id, execution_id)
          where page.status = 'completed'
          order by run.api_key_id, run.agent_id, run.organization_id, run.document_id, page.url, run.started_at desc,
            run.execution_id desc
        ) last on last.api_key_id = run.api_key_id and last.agent_id = run.agent_id
          and last.organization_id = run.organization_id and last.document_id = run.document_id
          and last.url = page.url
        where run.document_id = '' or document.document_id is not null
        window by_fingerprint as (partition by finding.api_key_id, finding.fingerprint, run.organization_id,
            run.document_id),
          in_time as (by_fingerprint order by run.started_at, finding.execution_id)
      ) seen
      left join annotations annotation on annotation.api_key_id = seen.api_key_id
        and annotation.organization_id = seen.organization_id and annotation.document_id = seen.document_id
        and annotation.annotation_id = seen.suggestion_id
      where seen.place = 1
    ) latest`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
