import { type Kysely, sql } from 'kysely';

const DOCUMENT = 'api_key_id, organization_id, document_id';
const ANNOTATION = `${DOCUMENT}, annotation_id`;
const EDITOR = `${DOCUMENT}, editor_id`;

interface Link {
  table: string;
  /** The name until now, which PostgreSQL has made up for most. */
  old: string;
  name: string;
  columns: string;
  target: string;
}

const link = (table: string, old: string, target: string, columns: string, name: string): Link => ({
  ...{ table, target, columns, name: `${table}_${name}` },
  old: `${table}_${old}`,
});
const onDocument = (table: string, old = 'api_key_id_organization_id_document_id_fkey') =>
  link(table, old, 'documents', DOCUMENT, 'on_document');
const ofAnnotation = (table: string, old: string) =>
  link(table, old, 'annotations', ANNOTATION, 'of_annotation');
const ofEditor = (table: string, old: string) => link(table, old, 'crdt_editors', EDITOR, 'of_editor');

const links: readonly Link[] = [
  onDocument('annotations', 'on_document'),
  ofAnnotation('comments', 'of_annotation'),
  ofAnnotation('reactions', 'api_key_id_organization_id_document_id_annotatio_fkey'),
  ofAnnotation('annotation_views', 'api_key_id_organization_id_document_id_an_fkey'),
  onDocument('crdt_editors'),
  ofEditor('crdt_updates', 'api_key_id_organization_id_document_id_editor_fkey'),
  ofEditor('crdt_snapshots', 'api_key_id_organization_id_document_id_edit_fkey'),
  onDocument('crdt_deletions'),
  onDocument('notifications'),
  onDocument('activities'),
  onDocument('presence'),
  onDocument('live_states'),
];

/**
 * Takes `on update cascade` from the foreign keys, which Citus refuses in a key that contains the API key. What deletes the
 * comment or the document of an attachment detaches it itself from now on: Citus refuses `on delete set null` as well.
 * The next migration checks the rows, so that this one reads none while it locks the tables.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    // In the order in which writers lock them, so that a writer for which it waits does not wait for it.
    `lock table documents, ${links.map(({ table }) => table).join(', ')}, attachments in access exclusive mode`,
    ...links.map(
      ({ table, old, name, columns, target }) => `alter table ${table} drop constraint ${old},
        add constraint ${name} foreign key (${columns}) references ${target} on delete cascade not valid`,
    ),
    'alter table attachments drop constraint attachments_on_document, drop constraint attachments_of_comment',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
