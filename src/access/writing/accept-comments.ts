import { type PreparedComment, prepareComments } from '../../annotations/comment-draft.ts';
import type { Db } from '../../db/tables.ts';
import type { Caller } from '../../lib/scope.ts';
import type { NewComment } from '../../shapes/annotations/comment.ts';
import { loadReader } from '../../store/access/visibility-sql.ts';
import type { AnnotationRef } from '../../store/annotations/comments.ts';
import { requireAnnotation } from '../../store/annotations/list-comments.ts';
import { actingUser, rolesOnDocument } from '../admit.ts';
import { identifyAgents } from './identify-agents.ts';
import { knownPeople } from './known-people.ts';

export interface AcceptedComments {
  comments: PreparedComment[];
  /** By index, those whose author may not write on the document; asked only with `verify`. */
  denied: boolean[];
}

/** Makes comments on an annotation ready to be stored, where the caller may know of it. */
export async function acceptComments(
  db: Db,
  caller: Caller,
  annotation: AnnotationRef,
  sent: readonly NewComment[],
  { verify }: { verify: boolean },
): Promise<AcceptedComments> {
  const known = await knownPeople(db, caller, { mentioning: [...sent] });
  const drafts = sent.map((comment) => ({
    ...known.mentions(comment),
    from: actingUser(caller, comment.from),
  }));
  const comments = prepareComments(await identifyAgents(db, caller, drafts), {
    now: Date.now(),
    byUser: caller.user !== undefined,
    path: ['commentData'],
  });
  // An API key needs no look at the annotation: the statement that writes finds whether it is there.
  if (caller.user || verify) {
    const reader = await loadReader(db, caller, annotation.organizationId);
    await requireAnnotation(db, caller, annotation, reader);
  }
  if (!verify) return { comments, denied: [] };
  // Agents are no users of the document.
  const people = comments.filter(({ body }) => !body.agent).map(({ from }) => from.userId);
  const roles = await rolesOnDocument(db, caller, annotation, [...new Set(people)]);
  const denied = comments.map(({ from, body }) => !body.agent && roles.get(from.userId) !== 'editor');
  return { comments, denied };
}
