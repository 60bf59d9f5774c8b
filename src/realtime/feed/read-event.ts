import type { Audience } from '../../annotations/audience.ts';
import type { Db } from '../../db/tables.ts';
import { type AnnotationKey, annotationKey, loadAudiences } from '../../store/annotations/load-audiences.ts';
import type { LiveEvent } from '../../store/live/live-events.ts';
import { familyOf } from './event-names.ts';
import { type Message, wholeMessage } from './stream-message.ts';

/** How long is believed who may see an annotation. */
const REACHES_KNOWN_MS = 2_000;

/** An event that was read for one or many streams. */
export interface ReadEvent extends LiveEvent {
  /** From then on, whatever is loaded was loaded after the event. */
  readAt: number;
  /** Which annotation it is about, if about any. */
  annotation: AnnotationKey | undefined;
  /** What clients know it by, once one has got it. */
  id?: string;
  whole(): Message;
  /** Who may see the annotations that this and the events beside it are about, as of now. */
  reaches(): Promise<Map<string, Audience>>;
}

/** Who may see the annotation that an event is about now; undefined where it is gone. */
export const reachesOf = async (event: ReadEvent): Promise<Audience | undefined> =>
  event.annotation && (await event.reaches()).get(annotationKey(event.annotation));

/** Prepares events of one page to be told to many. */
export function readEvents(db: Db, events: LiveEvent[]): ReadEvent[] {
  const readAt = Date.now();
  const groups = Map.groupBy(events, ({ apiKeyId, organizationId }) =>
    JSON.stringify([apiKeyId, organizationId]),
  );
  return [...groups.values()]
    .flatMap((group): ReadEvent[] => {
      const annotations = group.map(annotationOf);
      const reaches = remembering(async () => {
        const wanted = new Map(annotations.flatMap((one) => (one ? [[annotationKey(one), one]] : [])));
        const { organizationId } = group[0]!;
        return await loadAudiences(db, group[0]!, organizationId, [...wanted.values()]);
      });
      return group.map((event, index) => {
        let message: Message | undefined;
        const whole = () => {
          message ??= wholeMessage(event);
          return message;
        };
        return { ...event, readAt, annotation: annotations[index], whole, reaches };
      });
    })
    .sort((a, b) => a.seq - b.seq);
}

function annotationOf({ name, documentId, payload }: LiveEvent): AnnotationKey | undefined {
  const isOfAnnotation = ['comment_annotation', 'comment'].includes(familyOf(name));
  if (!isOfAnnotation || documentId === null) return undefined;
  return { documentId, annotationId: String(payload.annotationId) };
}

function remembering<T>(load: () => Promise<T>): () => Promise<T> {
  let known: { at: number; value: Promise<T> } | undefined;
  return () => {
    if (known && Date.now() - known.at < REACHES_KNOWN_MS) return known.value;
    const value = load();
    const mine = { at: Date.now(), value };
    known = mine;
    value.catch(() => {
      if (known === mine) known = undefined;
    });
    return value;
  };
}
