import { type AttachmentLink, storedIdsOf } from '../../annotations/attachment-record.ts';
import type { Audience } from '../../annotations/audience.ts';
import type { Db } from '../../db/tables.ts';
import { asObject } from '../../lib/json.ts';
import { loadPublicRuns } from '../../store/agents/executions.ts';
import { type AnnotationKey, annotationKey, loadAudiences } from '../../store/annotations/load-audiences.ts';
import type { LiveEvent } from '../../store/live/live-events.ts';
import { familyOf } from './event-names.ts';
import { type StreamMessage, wholeMessage } from './stream-message.ts';

/** Longest age of a cached audience of an annotation. */
const AUDIENCES_CACHED_MS = 2_000;

/** A live event, read once for any number of streams. */
export interface ReadEvent extends LiveEvent {
  /** Facts that are loaded from this time on are newer than the event. */
  readAt: number;
  /** The annotation that the event is about, if any. */
  annotation: AnnotationKey | undefined;
  /** The id by which clients resume, memoized by the first stream that sends the event. */
  id?: string;
  /** The message with all of the event, and links to the files of its comment. Memoized for events without files. */
  whole(link: AttachmentLink): StreamMessage;
  /** The present audiences of the annotations of this and its neighboring events. */
  audiences(): Promise<Map<string, Audience>>;
  /** For each run of this and its neighboring events, true if it is public. Deleted runs are absent. */
  runs(): Promise<Map<string, boolean>>;
}

/** The present audience of an event's annotation; undefined if it is deleted. */
export const currentAudienceOf = async (event: ReadEvent): Promise<Audience | undefined> =>
  event.annotation && (await event.audiences()).get(annotationKey(event.annotation));

/** Prepares a page of events for many streams. */
export function readEvents(db: Db, events: LiveEvent[]): ReadEvent[] {
  const readAt = Date.now();
  const groups = Map.groupBy(events, ({ apiKeyId, organizationId }) =>
    JSON.stringify([apiKeyId, organizationId]),
  );
  return [...groups.values()]
    .flatMap((group): ReadEvent[] => {
      const annotations = group.map(annotationOf);
      const audiences = memoizeBriefly(async () => {
        const wanted = new Map(annotations.flatMap((key) => (key ? [[annotationKey(key), key]] : [])));
        const { organizationId } = group[0]!;
        return await loadAudiences(db, group[0]!, organizationId, [...wanted.values()]);
      });
      const executionIds = group.flatMap(({ name, payload }) =>
        isOfRun(name) ? [String(payload.executionId)] : [],
      );
      const runs = memoizeBriefly(() => loadPublicRuns(db, group[0]!, [...new Set(executionIds)]));
      return group.map((event, index) => {
        let message: StreamMessage | undefined;
        const hasFiles = storedIdsOf(asObject(event.payload.targetComment).attachments).length > 0;
        const whole = (link: AttachmentLink) => {
          if (hasFiles) return wholeMessage(event, link);
          message ??= wholeMessage(event);
          return message;
        };
        return { ...event, readAt, annotation: annotations[index], whole, audiences, runs };
      });
    })
    .sort((a, b) => a.seq - b.seq);
}

/** True for an event of a run of an agent. */
export const isOfRun = (name: string): boolean => familyOf(name) === 'agent_execution';

function annotationOf({ name, documentId, payload }: LiveEvent): AnnotationKey | undefined {
  const isOfAnnotation = ['comment_annotation', 'comment'].includes(familyOf(name));
  if (!isOfAnnotation || documentId === null) return undefined;
  return { documentId, annotationId: String(payload.annotationId) };
}

function memoizeBriefly<T>(load: () => Promise<T>): () => Promise<T> {
  let known: { at: number; value: Promise<T> } | undefined;
  return () => {
    if (known && Date.now() - known.at < AUDIENCES_CACHED_MS) return known.value;
    const value = load();
    const mine = { at: Date.now(), value };
    known = mine;
    value.catch(() => {
      if (known === mine) known = undefined;
    });
    return value;
  };
}
