import type { Fields } from '../../lib/json.ts';
import type { LiveEvent } from '../../store/live/live-events.ts';

/** A message as it goes out, but for its id. */
export interface Message {
  name: string;
  /** Lines of an event stream, as WHATWG HTML 9.2 has them. */
  text: string;
}

/** JSON has no line breaks of its own, so that it is one line of data. */
export const messageOf = (name: string, data: Fields): Message => ({
  name,
  text: `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
});

const placeOf = ({ organizationId, documentId, at }: LiveEvent): Fields => ({
  organizationId,
  ...(documentId !== null && { documentId }),
  at,
});

/** All that an event says. What was deleted is named and not shown: no read would show it any more. */
export function wholeMessage(event: LiveEvent): Message {
  const { loud, logged, visibility, visibilityChanged, seenBefore, ...told } = event.payload;
  if (event.name === 'comment_annotation.delete') {
    delete told.commentAnnotation;
    delete told.targetComment;
  }
  if (event.name === 'comment.delete') {
    told.targetComment = { commentId: (told.targetComment as Fields | undefined)?.commentId };
  }
  if (event.name === 'crdt.update_data') {
    // It is there for webhooks, and only where an endpoint takes it.
    const { data, ...crdtData } = told.crdtData as Fields;
    told.crdtData = crdtData;
    delete told.truncated;
  }
  return messageOf(event.name, { ...placeOf(event), ...told });
}

/** For those who could see an annotation and may not any more, it is as if it were deleted. */
export const goneMessage = (event: LiveEvent): Message =>
  messageOf('comment_annotation.delete', { ...placeOf(event), annotationId: event.payload.annotationId });

/** A notification as a user's list has it, which does not tell who else got it. */
export const notificationMessage = (event: LiveEvent, notification: Fields): Message => {
  const { notificationId, notificationSource } = event.payload;
  return messageOf(event.name, { ...placeOf(event), notificationId, notificationSource, notification });
};
