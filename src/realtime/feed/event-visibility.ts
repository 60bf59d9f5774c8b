import pLimit from 'p-limit';
import { storedGrants, tokenGrants } from '../../access/authorize.ts';
import { decide } from '../../access/decide.ts';
import type { AttachmentLink } from '../../annotations/attachment-record.ts';
import {
  type Audience,
  addTokenGrants,
  isInAudience,
  type ReaderGrants,
} from '../../annotations/audience.ts';
import type { Db } from '../../db/tables.ts';
import { attachmentLinks } from '../../files/attachments.ts';
import type { Keyring } from '../../lib/crypto.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { type AccessFacts, loadAccessFactsOfMany } from '../../store/access/access-facts.ts';
import { loadReader } from '../../store/access/visibility-sql.ts';
import { loadReaderGrants } from '../../store/annotations/load-audiences.ts';
import type { LiveEvent, OrganizationRef } from '../../store/live/live-events.ts';
import { listNotifications } from '../../store/notifications/list-notifications.ts';
import { createBatchLoader, type Loaded } from './batch-loader.ts';
import { currentAudienceOf, isOfRun, type ReadEvent } from './read-event.ts';
import { goneMessage, notificationMessage, type StreamMessage } from './stream-message.ts';

import { isUser, type UserViewer, type Viewer } from './stream-viewer.ts';

/**
 * Longest age of cached facts that grant access. Facts that deny it are loaded again for each event, because an event
 * is sent at most once and a right may have been granted just before it.
 */
const CACHED_MS = 2_000;
/** Concurrent lists of notifications, few enough to leave database connections to requests. */
const CONCURRENT_LISTS = 4;
/** Documents per statement, few enough that it does not delay other work. */
const DOCUMENTS_PER_STATEMENT = 50;

export interface FilteredEvent {
  /** Undefined if the viewer must not receive the event. */
  message: StreamMessage | undefined;
  /** The document of the stream is gone, so the stream ends. */
  isOver?: true;
}

const HIDDEN: FilteredEvent = { message: undefined };

/** Decides which events a viewer receives, and in which form. */
export class EventVisibility {
  readonly #db: Db;
  readonly #accessFacts;
  readonly #readerGrants;
  readonly #linkFor: (viewer: Viewer) => AttachmentLink;
  readonly #limitLists = pLimit(CONCURRENT_LISTS);

  constructor(db: Db, keyring: Keyring) {
    this.#db = db;
    this.#linkFor = ({ origin, apiKeyId }) => attachmentLinks(keyring, origin, apiKeyId);
    this.#accessFacts = createBatchLoader<Scope, AccessFacts>(
      ({ apiKeyId }) => apiKeyId,
      (scope, keys) => loadAccessFactsOf(db, scope, keys.map(parseKey)),
    );
    this.#readerGrants = createBatchLoader<OrganizationRef, ReaderGrants>(
      ({ apiKeyId, organizationId }) => JSON.stringify([apiKeyId, organizationId]),
      (organization, userIds) => loadReaderGrants(db, organization, organization.organizationId, userIds),
    );
  }

  /** Filters events of the viewer's organization, in order. */
  async filter(viewer: Viewer, events: ReadEvent[]): Promise<FilteredEvent[]> {
    const wanted = events.filter((event) => wants(viewer, event));
    const filtered = isUser(viewer)
      ? await this.#filterForUser(viewer, wanted)
      : wanted.map((event) => ({ message: event.whole(this.#linkFor(viewer)) }));
    const results = new Map(wanted.map((event, index) => [event, filtered[index]!]));
    return events.map((event) => {
      const result = results.get(event) ?? HIDDEN;
      // An event may become another one on its way, which the viewer may not have asked for.
      const isUnwanted = result.message && viewer.names?.has(result.message.name) === false;
      return isUnwanted ? { ...result, ...HIDDEN } : result;
    });
  }

  /** True if a viewer may read a document, by facts that were loaded after `since` or grant access anyway. */
  async mayRead(viewer: UserViewer, place: DocumentRef, since: number): Promise<boolean> {
    const { user } = viewer;
    const { organizationId, documentId } = place;
    const allows = ({ value: { document, grants } }: Loaded<AccessFacts>): boolean => {
      if (!document) return false;
      const all = [...tokenGrants(user, organizationId), ...storedGrants(grants)];
      return decide(document, { isAdmin: user.isAdmin, grants: all }, Date.now()).role !== 'none';
    };
    const key = keyOf(organizationId, documentId, user.userId);
    const facts = await this.#accessFacts.load(viewer, key, (cached) =>
      isFresh(cached, since, () => allows(cached)),
    );
    return allows(facts);
  }

  /** Removes old facts from the caches. */
  forget(): void {
    this.#accessFacts.forgetOlderThan(CACHED_MS);
    this.#readerGrants.forgetOlderThan(CACHED_MS);
  }

  async #filterForUser(viewer: UserViewer, events: ReadEvent[]): Promise<FilteredEvent[]> {
    const { organizationId } = viewer;
    const since = Math.max(0, ...events.map(({ readAt }) => readAt));
    const decisions = new Map<string, Promise<boolean>>();
    const isReadable = (documentId: string): Promise<boolean> => {
      const decision =
        decisions.get(documentId) ?? this.mayRead(viewer, { organizationId, documentId }, since);
      decisions.set(documentId, decision);
      return decision;
    };
    const notifications = await this.#notificationMessages(
      viewer,
      events.filter(({ name }) => name === 'notification.add'),
    );
    return await Promise.all(
      events.map(async (event): Promise<FilteredEvent> => {
        if (event.name === 'notification.add') return { message: notifications.get(event.eventId) };
        const isOwnDocument = event.documentId === viewer.documentId;
        // A deleted document is readable to no user; a viewer of this very document could read it until now.
        if (event.name === 'document.delete')
          return isOwnDocument ? { message: event.whole(this.#linkFor(viewer)), isOver: true } : HIDDEN;
        if (event.name === 'document.migrate') {
          if (isOwnDocument) return { message: event.whole(this.#linkFor(viewer)), isOver: true };
          const isVisible = await isReadable(String(event.payload.newDocumentId));
          return isVisible ? { message: event.whole(this.#linkFor(viewer)) } : HIDDEN;
        }
        if (event.documentId === null || !(await isReadable(event.documentId))) return HIDDEN;
        if (isOfRun(event.name)) return await this.#runMessage(viewer, event);
        return {
          message: event.annotation
            ? await this.#annotationMessage(viewer, event)
            : event.whole(this.#linkFor(viewer)),
        };
      }),
    );
  }

  /** Private runs are for users of the organization, as their suggestions are. */
  async #runMessage(viewer: UserViewer, event: ReadEvent): Promise<FilteredEvent> {
    const isPublic = (await event.runs()).get(String(event.payload.executionId));
    if (isPublic === undefined) return HIDDEN;
    if (isPublic) return { message: event.whole(this.#linkFor(viewer)) };
    const { organizationId, user } = viewer;
    const isMember = (grants: ReaderGrants): boolean =>
      addTokenGrants(grants, user, organizationId, Date.now()).organizationIds.includes(organizationId);
    const { value } = await this.#readerGrants.load(viewer, user.userId, (cached) =>
      isFresh(cached, event.readAt, () => isMember(cached.value)),
    );
    return isMember(value) ? { message: event.whole(this.#linkFor(viewer)) } : HIDDEN;
  }

  async #annotationMessage(viewer: UserViewer, event: ReadEvent): Promise<StreamMessage | undefined> {
    const { organizationId, user } = viewer;
    const now = await currentAudienceOf(event);
    const formFor = (grants: ReaderGrants): AnnotationForm =>
      annotationForm(event, now, user.userId, addTokenGrants(grants, user, organizationId, Date.now()));
    // Most annotations are visible without any grants, which saves the load.
    let form = formFor({ organizationIds: [], accessFields: [] });
    if (form !== 'whole') {
      const grants = await this.#readerGrants.load(viewer, user.userId, (cached) =>
        isFresh(cached, event.readAt, () => formFor(cached.value) === 'whole'),
      );
      form = formFor(grants.value);
    }
    return form === 'whole'
      ? event.whole(this.#linkFor(viewer))
      : form === 'gone'
        ? goneMessage(event)
        : undefined;
  }

  async #notificationMessages(viewer: UserViewer, events: ReadEvent[]): Promise<Map<string, StreamMessage>> {
    const { organizationId } = viewer;
    const own = events.filter(({ payload }) => isNamedIn(viewer, payload));
    if (own.length === 0) return new Map();
    const notificationIds = [...new Set(own.map(({ payload }) => String(payload.notificationId)))];
    const listed = await this.#limitLists(async () => {
      const reader = (await loadReader(this.#db, viewer, organizationId))!;
      const filter = { organizationId, notificationIds };
      const window = { order: 'asc', limit: notificationIds.length } as const;
      return await listNotifications(this.#db, viewer, filter, window, { reader, namedSuffices: false });
    });
    const records = new Map(listed.map(({ notificationId, record }) => [notificationId, record]));
    return new Map(
      own.flatMap((event) => {
        const record = records.get(String(event.payload.notificationId));
        return record ? [[event.eventId, notificationMessage(event, record)]] : [];
      }),
    );
  }
}

type Key = [organizationId: string, documentId: string, userId: string];
const keyOf = (...key: Key): string => JSON.stringify(key);
const parseKey = (key: string): Key => JSON.parse(key);

/** Access facts by key, loaded for all users of a document together. */
async function loadAccessFactsOf(db: Db, scope: Scope, keys: Key[]): Promise<Map<string, AccessFacts>> {
  const byDocument = Map.groupBy(keys, ([organizationId, documentId]) =>
    JSON.stringify([organizationId, documentId]),
  );
  const queries = [...byDocument.values()].map((ofDocument) => {
    const [organizationId, documentId] = ofDocument[0]!;
    return { organizationId, documentId, userIds: ofDocument.map(([, , userId]) => userId) };
  });
  const found = new Map<string, AccessFacts>();
  for (let from = 0; from < queries.length; from += DOCUMENTS_PER_STATEMENT) {
    const part = queries.slice(from, from + DOCUMENTS_PER_STATEMENT);
    const facts = await loadAccessFactsOfMany(db, scope, part);
    for (const [index, { document, grants }] of facts.entries()) {
      const { organizationId, documentId, userIds } = part[index]!;
      const byUser = Map.groupBy(grants, ({ userId }) => userId);
      for (const userId of userIds)
        found.set(keyOf(organizationId, documentId, userId), { document, grants: byUser.get(userId) ?? [] });
    }
  }
  return found;
}

const isFresh = ({ at }: Loaded<unknown>, since: number, allows: () => boolean): boolean =>
  Date.now() - at < CACHED_MS && (at >= since || allows());

const isNamedIn = ({ user }: UserViewer, { notifyAll, notifyUserIds }: Fields): boolean =>
  notifyAll === true || (Array.isArray(notifyUserIds) && notifyUserIds.includes(user.userId));

/**
 * True if the event, or the event that the viewer would get in its place, matches the document and the names of the
 * stream.
 */
function wants({ documentId, names }: Viewer, event: ReadEvent): boolean {
  const isThere =
    documentId === undefined ||
    event.documentId === documentId ||
    (event.name === 'document.migrate' && event.payload.newDocumentId === documentId);
  const isNamed =
    names === undefined ||
    names.has(event.name) ||
    (names.has('comment_annotation.delete') && event.payload.seenBefore !== undefined);
  return isThere && isNamed;
}

/** The form of an event: whole, reduced to the news that the annotation is gone, or undefined if it is not sent. */
type AnnotationForm = 'whole' | 'gone' | undefined;

/**
 * The form in which a reader of the document receives a change of an annotation: whole if the reader could see the
 * annotation as the change left it, and still can.
 */
function annotationForm(
  event: LiveEvent,
  now: Audience | undefined,
  userId: string,
  grants: ReaderGrants,
): AnnotationForm {
  const includesUser = (audience: Audience) => isInAudience(audience, event.organizationId, userId, grants);
  const seenBefore = event.payload.seenBefore as Audience | undefined;
  if (!includesUser(audienceAfter(event, now)))
    return seenBefore && includesUser(seenBefore) ? 'gone' : undefined;
  // A deleted annotation has no audience now; its other events are not sent any more.
  if (event.name === 'comment_annotation.delete') return 'whole';
  return now && includesUser(now) ? 'whole' : undefined;
}

/** The audience right after the change. A truncated record lacks the author, who is that of today. */
function audienceAfter({ payload }: LiveEvent, now: Audience | undefined): Audience {
  const { from, context } = payload.commentAnnotation as Fields;
  const visibility = payload.visibility as Fields | undefined;
  const accessFields = (context as Fields | null | undefined)?.accessFields;
  return {
    ...(visibility && { visibility }),
    ...(accessFields !== undefined && { accessFields }),
    author: { userId: (from as { userId: string } | undefined)?.userId ?? now?.author.userId ?? '' },
  };
}
