import { type AnnotationDraft, draftAnnotation } from '../../annotations/annotation-draft.ts';
import { storedIdsOf } from '../../annotations/attachment-record.ts';
import { type PreparedComment, prepareComments } from '../../annotations/comment-draft.ts';
import type { Statement } from '../../db/prepared.ts';
import { type Db, isTransaction, type Tx } from '../../db/tables.ts';
import { ApiError, type Issue, invalidRequest, permissionDenied } from '../../lib/errors.ts';
import { newTimedId } from '../../lib/ids.ts';
import type { Caller } from '../../lib/scope.ts';
import type { AddedAnnotation } from '../../shapes/annotations/added-annotation.ts';
import type { Visibility } from '../../shapes/annotations/annotation.ts';
import type { NewAnnotation } from '../../shapes/annotations/new-annotation.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { loadReader } from '../../store/access/visibility-sql.ts';
import { annotationInsertion, type WrittenDraft } from '../../store/annotations/insert-annotations.ts';
import { documentExists, documentMissing, lockDocument } from '../../store/documents/documents.ts';
import { lockOrganization } from '../../store/documents/organizations.ts';
import { authorize, NO_ACCESS, rolesOnDocument } from '../authorize.ts';
import { describeFiles, holdingFiles } from './attached-files.ts';
import { authorOf } from './author-rules.ts';
import { identifyAgents } from './identify-agents.ts';
import { loadKnownPeople } from './known-people.ts';

interface AdditionOptions {
  createOrganization: boolean;
  createDocument: boolean;
  verifyUserPermissions: boolean;
}

interface AnnotationAddition {
  /** Writes the annotations and all that follows from them. */
  statement: Statement<WrittenDraft>;
  /** The results by annotation, from the rows of the statement. */
  result(rows: WrittenDraft[]): Promise<Record<string, AddedAnnotation>>;
}

/**
 * Prepares the statement that adds annotations with their first comments to a document; the endpoint returns it to be
 * run. With `verifyUserPermissions`, annotations of authors who may not write on the document are left out: then
 * `result` throws PERMISSION_DENIED with the results as details, and the others stay written.
 */
export async function prepareAnnotationAddition(
  db: Db,
  caller: Caller,
  document: DocumentRef,
  annotations: readonly NewAnnotation[],
  options: AdditionOptions,
): Promise<AnnotationAddition> {
  await authorize(db, caller, document, 'editor');
  const draw = (inside: Db) => drawUp(inside, caller, document, annotations, options);
  if (!options.createDocument || caller.user) {
    const drawn = await draw(db);
    return { statement: drawn.statement, result: async (rows) => resultsOf(drawn, rows) };
  }
  let drawn: Drawn | undefined;
  // Authors are judged by the grants on the document, so it is there first.
  const addAll = async (tx: Tx) => {
    await lockOrganization(tx, caller, document.organizationId, { create: options.createOrganization });
    await lockDocument(tx, caller, document, { create: true });
    drawn = await draw(tx);
    return await drawn.statement.run(tx);
  };
  return {
    statement: {
      run: (inside) =>
        isTransaction(inside) ? addAll(inside) : inside.transaction().execute((tx) => addAll(tx)),
    },
    result: async (rows) => resultsOf(drawn!, rows),
  };
}

interface Drawn extends PreparedAnnotations {
  commentIds: Map<string, number[]>;
  statement: Statement<WrittenDraft>;
}

async function drawUp(
  db: Db,
  caller: Caller,
  document: DocumentRef,
  annotations: readonly NewAnnotation[],
  { verifyUserPermissions: verify }: AdditionOptions,
): Promise<Drawn> {
  const prepared = await prepare(db, caller, document, annotations, { verify });
  if (prepared.drafts.length === 0) {
    return { ...prepared, commentIds: new Map(), statement: nothingOn(caller, document) };
  }
  const byUser = caller.user !== undefined;
  const { commentIds, statement } = annotationInsertion(caller, prepared.drafts, { byUser });
  const holdings = prepared.drafts.map(({ row, comments }) =>
    comments.map(({ body }, index) => ({
      ...document,
      annotationId: row.annotationId,
      commentId: commentIds.get(row.annotationId)![index]!,
      attachmentIds: storedIdsOf(body.attachments),
    })),
  );
  const isNeeded = holdings.flat().some(({ attachmentIds }) => attachmentIds.length > 0);
  return {
    ...prepared,
    commentIds,
    // An annotation that was there already is not written, and takes no files.
    statement: holdingFiles(caller, statement, isNeeded, (rows) =>
      holdings.flatMap((ofDraft, index) => (rows[index]?.isAdded ? ofDraft : [])),
    ),
  };
}

/** Only finds out if the document exists. */
const nothingOn = (caller: Caller, document: DocumentRef): Statement<WrittenDraft> => ({
  async run(db) {
    if (!(await documentExists(db, caller, document))) throw documentMissing();
    return [];
  },
});

function resultsOf(
  { drafts, denied, commentIds }: Drawn,
  rows: readonly WrittenDraft[],
): Record<string, AddedAnnotation> {
  if (rows.some(({ isFound }) => !isFound)) throw documentMissing();
  const results = Object.fromEntries([
    ...drafts.map((draft, index): [string, AddedAnnotation] => {
      const { annotationId } = draft.row;
      return [annotationId, resultOf(draft, rows[index]!.isAdded ? commentIds.get(annotationId) : undefined)];
    }),
    ...[...denied].map(([key, { annotationId }]): [string, AddedAnnotation] => [
      key,
      { success: false, annotationId, message: NO_ACCESS, code: 'permission-denied' },
    ]),
  ]);
  if (denied.size === 0) return results;
  throw new ApiError('PERMISSION_DENIED', NO_ACCESS, { details: results, commits: true });
}

function resultOf({ row }: AnnotationDraft, commentIds: number[] | undefined): AddedAnnotation {
  const { annotationId } = row;
  const findingId = (row.body.agent as { reason?: { findingId?: string } } | undefined)?.reason?.findingId;
  return commentIds
    ? { success: true, annotationId, commentIds, message: 'Added Successfully', findingId }
    : {
        success: false,
        annotationId,
        message: 'Annotation already exists',
        code: 'already-exists',
        findingId,
      };
}

interface PreparedAnnotations {
  drafts: AnnotationDraft[];
  /** The annotations of authors who may not write, by the key of their result. */
  denied: Map<string, NewAnnotation>;
}

/** Throws INVALID_ARGUMENT that lists the issues of all annotations. For an id sent twice, the later one counts. */
async function prepare(
  db: Db,
  caller: Caller,
  document: DocumentRef,
  annotations: readonly NewAnnotation[],
  { verify }: { verify: boolean },
): Promise<PreparedAnnotations> {
  await requireOwnOrganizations(
    db,
    caller,
    document,
    annotations.map(({ visibility }) => visibility),
  );
  const sent = annotations.flatMap(({ commentData }) => commentData);
  const paths = annotations.flatMap(({ commentData }, index) =>
    commentData.map((_, position) => ['commentAnnotations', index, 'commentData', position]),
  );
  const described = await describeFiles(db, caller, document, sent, (index) => paths[index]!);
  const known = await loadKnownPeople(db, caller, {
    people: annotations.map(({ assignedTo }) => assignedTo),
    mentioning: sent,
  });
  const identified = await identifyAgents(db, caller, described.map(known.mentions));
  const now = Date.now();
  const drafts = new Map<string, AnnotationDraft>();
  const positions = new Map<string, number>();
  const issues: Issue[] = [];
  const byUser = caller.user !== undefined;
  const { assistant } = caller;
  let taken = 0;
  for (const [index, annotation] of annotations.entries()) {
    const from = taken;
    taken += annotation.commentData.length;
    const made = (byUser ? undefined : annotation.createdAt) ?? now;
    const comments = identified
      .slice(from, taken)
      .map((comment) => ({ createdAt: made, ...comment, from: authorOf(caller, comment) }));
    const annotationId = annotation.annotationId ?? newTimedId('ann');
    const path = ['commentAnnotations', index, 'commentData'];
    const prepared = orIssues(issues, () => prepareComments(comments, { now, byUser, assistant, path }));
    if (!prepared) continue;
    const described = { ...annotation, assignedTo: known.person(annotation.assignedTo) };
    const options = { apiKeyId: caller.apiKeyId, ...document, annotationId, now, byUser, assistant };
    drafts.set(annotationId, draftAnnotation(described, inOrder(prepared, made), options));
    positions.set(annotationId, index);
  }
  if (issues.length > 0) throw invalidRequest(issues);
  const denied = verify ? await deniedDrafts(db, caller, document, [...drafts.values()]) : new Set<string>();
  return {
    drafts: [...drafts.values()].filter(({ row }) => !denied.has(row.annotationId)),
    denied: new Map(
      [...denied].map((annotationId) => {
        const index = positions.get(annotationId)!;
        const annotation = annotations[index]!;
        return [annotation.annotationId ?? `__redpen_denied:${index}`, annotation];
      }),
    ),
  };
}

/** Lists sort comments by time, so comments without a time of their own follow each other by a millisecond. */
const inOrder = (comments: readonly PreparedComment[], made: number): PreparedComment[] =>
  comments.map((comment, index) =>
    comment.createdAt === made
      ? { ...comment, createdAt: made + index, lastUpdated: Math.max(made + index, comment.lastUpdated) }
      : comment,
  );

/** Returns undefined if the work throws an invalid request, and collects its issues. */
function orIssues<T>(issues: Issue[], work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    const found =
      error instanceof ApiError ? (error.details as { issues?: Issue[] } | undefined)?.issues : undefined;
    if (!found) throw error;
    issues.push(...found);
    return undefined;
  }
}

/** Ids of the drafts with an author who may not write on the document; agents have no rights of their own. */
async function deniedDrafts(
  db: Db,
  caller: Caller,
  document: DocumentRef,
  drafts: readonly AnnotationDraft[],
): Promise<Set<string>> {
  const authorsOf = ({ comments }: AnnotationDraft) =>
    comments.filter(({ body }) => !body.agent).map(({ from }) => from.userId);
  const roles = await rolesOnDocument(db, caller, document, [...new Set(drafts.flatMap(authorsOf))]);
  return new Set(
    drafts
      .filter((draft) => authorsOf(draft).some((userId) => roles.get(userId) !== 'editor'))
      .map(({ row }) => row.annotationId),
  );
}

/** Throws PERMISSION_DENIED if a user shares an annotation with an organization that they do not belong to. */
export async function requireOwnOrganizations(
  db: Db,
  caller: Caller,
  { organizationId }: Pick<DocumentRef, 'organizationId'>,
  visibilities: readonly (Visibility | undefined)[],
): Promise<void> {
  if (!caller.user) return;
  const foreign = visibilities
    .flatMap((visibility) =>
      visibility?.type === 'organizationPrivate'
        ? [visibility.organizationId ?? [], visibility.organizationIds ?? []].flat()
        : [],
    )
    .filter((id) => id !== organizationId);
  if (foreign.length === 0) return;
  const reader = await loadReader(db, caller, organizationId);
  if (!foreign.every((id) => reader?.organizationIds.includes(id))) {
    throw permissionDenied('visibility names an organization that the user does not belong to.');
  }
}
