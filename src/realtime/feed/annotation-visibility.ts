import { type Audience, type Holdings, isInAudience } from '../../annotations/audience.ts';
import type { Fields } from '../../lib/json.ts';
import type { LiveEvent } from '../../store/live/live-events.ts';

/** All of an event; only that the annotation is gone; or nothing. */
export type Verdict = 'whole' | 'gone' | undefined;

/**
 * What somebody who may read the document is told of a change to an annotation: all of it where they could see
 * the annotation as the change left it, and can see it now.
 */
export function verdictOn(
  event: LiveEvent,
  now: Audience | undefined,
  userId: string,
  held: Holdings,
): Verdict {
  const isSeen = (reach: Audience) => isInAudience(reach, event.organizationId, userId, held);
  const seenBefore = event.payload.seenBefore as Audience | undefined;
  if (!isSeen(reachThen(event, now))) return seenBefore && isSeen(seenBefore) ? 'gone' : undefined;
  // What is deleted cannot be seen now; of all else that happened to it, nobody is told any more.
  if (event.name === 'comment_annotation.delete') return 'whole';
  return now && isSeen(now) ? 'whole' : undefined;
}

/** Who could see it when it had just changed. A thin record does not tell of its author, who is that of today. */
function reachThen({ payload }: LiveEvent, now: Audience | undefined): Audience {
  const { from, context } = payload.commentAnnotation as Fields;
  const visibility = payload.visibility as Fields | undefined;
  const accessFields = (context as Fields | null | undefined)?.accessFields;
  return {
    ...(visibility && { visibility }),
    ...(accessFields !== undefined && { accessFields }),
    author: { userId: (from as { userId: string } | undefined)?.userId ?? now?.author.userId ?? '' },
  };
}
