import { type AttachmentLink, withLinks } from '../../annotations/attachment-record.ts';
import { asObject, type Fields } from '../../lib/json.ts';
import { type LiveEvent, NO_ORGANIZATION } from '../../store/live/live-events.ts';

/** A message of an event stream, without its id. */
export interface StreamMessage {
  name: string;
  /** Lines in the format of WHATWG HTML 9.2. */
  text: string;
}

/** JSON.stringify emits no line breaks, so the data is one line. */
export const messageOf = (name: string, data: Fields): StreamMessage => ({
  name,
  text: `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
});

const placeOf = ({ organizationId, documentId, at }: LiveEvent): Fields => ({
  ...(organizationId !== NO_ORGANIZATION && { organizationId }),
  ...(documentId !== null && { documentId }),
  at,
});

/** The message with all of an event. Deleted records are only named, since no read would return them any more. */
export function wholeMessage(event: LiveEvent, link?: AttachmentLink): StreamMessage {
  const { loud, logged, visibility, visibilityChanged, seenBefore, ...data } = event.payload;
  if (link) data.targetComment = withLinks(asObject(data.targetComment), link);
  if (event.name === 'comment_annotation.delete') {
    delete data.commentAnnotation;
    delete data.targetComment;
  }
  if (event.name === 'comment.delete') {
    data.targetComment = { commentId: (data.targetComment as Fields | undefined)?.commentId };
  }
  if (event.name === 'agent_execution.completed') {
    // Samples, which `agents/execution/get` returns.
    const { findings, erroredUrls, skippedUrls, ...summary } = data.resultsSummary as Fields;
    data.resultsSummary = summary;
  }
  if (event.name === 'crdt.update_data') {
    // The content is meant for webhooks, and present only if an endpoint wants it.
    const { data: _content, ...crdtData } = data.crdtData as Fields;
    data.crdtData = crdtData;
    delete data.truncated;
  }
  return messageOf(event.name, { ...placeOf(event), ...data });
}

/** Readers who lose sight of an annotation receive its deletion. */
export const goneMessage = (event: LiveEvent): StreamMessage =>
  messageOf('comment_annotation.delete', { ...placeOf(event), annotationId: event.payload.annotationId });

/** A notification as in the user's list, without its other recipients. */
export const notificationMessage = (event: LiveEvent, notification: Fields): StreamMessage => {
  const { notificationId, notificationSource } = event.payload;
  return messageOf(event.name, { ...placeOf(event), notificationId, notificationSource, notification });
};
