import { heldByStore, heldByToken } from '../../access/admit.ts';
import { decide } from '../../access/decide.ts';
import { type Holdings, withTokenGrants } from '../../annotations/audience.ts';
import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { DocumentRef } from '../../shapes/refs.ts';
import { type AccessFacts, loadAccessFactsOfMany } from '../../store/access/access-facts.ts';
import { loadReader } from '../../store/access/visibility-sql.ts';
import { loadHoldings } from '../../store/annotations/load-audiences.ts';
import type { OrganizationRef } from '../../store/live/live-events.ts';
import { listNotifications } from '../../store/notifications/list-notifications.ts';
import { type Verdict, verdictOn } from './annotation-visibility.ts';
import { gather, type Known } from './batch-loader.ts';
import { type ReadEvent, reachesOf } from './read-event.ts';
import { goneMessage, type Message, notificationMessage } from './stream-message.ts';
import { limitAtOnce } from './turns.ts';
import { isUser, type UserViewer, type Viewer } from './viewer.ts';

/**
 * How long what lets somebody see something may be known for. What does not let them is looked up for each event
 * anew: an event is judged once, and a right may have come with it.
 */
const KNOWN_FOR_MS = 2_000;
/** Lists of notifications that are asked for at once, so that the requests of others find connections. */
const LISTS_AT_ONCE = 4;
/** Documents that one statement looks at: few enough that others need not wait for it. */
const DOCUMENTS_AT_ONCE = 50;

type Key = [organizationId: string, documentId: string, userId: string];
const keyOf = (...key: Key): string => JSON.stringify(key);
const fromKey = (key: string): Key => JSON.parse(key);

export interface Judged {
  /** Undefined where it is not for these eyes. */
  message: Message | undefined;
  /** The document that the stream is of is gone. */
  isOver?: true;
}

/** Decides what of the events each viewer is told. */
export interface Judge {
  /** Judges events of the viewer's organization, in their order. */
  judge(viewer: Viewer, events: ReadEvent[]): Promise<Judged[]>;
  mayRead(viewer: UserViewer, place: DocumentRef, since: number): Promise<boolean>;
  /** Lets go of what is known no longer. */
  forget(): void;
}

export function createJudge(db: Db): Judge {
  const facts = gather<Scope, AccessFacts>(
    ({ apiKeyId }) => apiKeyId,
    async (scope, asked) => {
      const places = Map.groupBy(asked.map(fromKey), ([organizationId, documentId]) =>
        JSON.stringify([organizationId, documentId]),
      );
      const questions = [...places.values()].map((some) => {
        const [organizationId, documentId] = some[0]!;
        return { organizationId, documentId, userIds: some.map(([, , userId]) => userId) };
      });
      const found = new Map<string, AccessFacts>();
      for (let from = 0; from < questions.length; from += DOCUMENTS_AT_ONCE) {
        const part = questions.slice(from, from + DOCUMENTS_AT_ONCE);
        for (const [index, { document, grants }] of (
          await loadAccessFactsOfMany(db, scope, part)
        ).entries()) {
          const { organizationId, documentId, userIds } = part[index]!;
          const byUser = Map.groupBy(grants, ({ userId }) => userId);
          for (const userId of userIds) {
            const held = byUser.get(userId) ?? [];
            found.set(keyOf(organizationId, documentId, userId), { document, grants: held });
          }
        }
      }
      return found;
    },
  );
  const holdings = gather<OrganizationRef, Holdings>(
    ({ apiKeyId, organizationId }) => JSON.stringify([apiKeyId, organizationId]),
    (organization, userIds) => loadHoldings(db, organization, organization.organizationId, userIds),
  );
  const inTurn = limitAtOnce(LISTS_AT_ONCE);

  const mayRead = async (viewer: UserViewer, place: DocumentRef, since: number): Promise<boolean> => {
    const { user } = viewer;
    const { organizationId, documentId } = place;
    const allows = ({ fact: { document, grants } }: Known<AccessFacts>): boolean => {
      if (!document) return false;
      const held = [...heldByToken(user, organizationId), ...heldByStore(grants)];
      return decide(document, { isAdmin: user.isAdmin, grants: held }, Date.now()).role !== 'none';
    };
    const key = keyOf(organizationId, documentId, user.userId);
    const known = await facts.ask(viewer, key, (before) => isFresh(before, since, () => allows(before)));
    return allows(known);
  };

  const ofAnnotation = async (viewer: UserViewer, event: ReadEvent): Promise<Message | undefined> => {
    const { organizationId, user } = viewer;
    const now = await reachesOf(event);
    const judged = (held: Holdings): Verdict =>
      verdictOn(event, now, user.userId, withTokenGrants(held, user, organizationId, Date.now()));
    const nothing = { organizationIds: [], accessFields: [] };
    // Whoever may see it without holding anything is most of them.
    let verdict = judged(nothing);
    if (verdict !== 'whole') {
      const known = await holdings.ask(viewer, user.userId, (before) =>
        isFresh(before, event.readAt, () => judged(before.fact) === 'whole'),
      );
      verdict = judged(known.fact);
    }
    return verdict === 'whole' ? event.whole() : verdict === 'gone' ? goneMessage(event) : undefined;
  };

  const ofNotifications = async (viewer: UserViewer, events: ReadEvent[]): Promise<Map<string, Message>> => {
    const { organizationId } = viewer;
    const theirs = events.filter(({ payload }) => isNamedIn(viewer, payload));
    if (theirs.length === 0) return new Map();
    const notificationIds = [...new Set(theirs.map(({ payload }) => String(payload.notificationId)))];
    const listed = await inTurn(async () => {
      const reader = (await loadReader(db, viewer, organizationId))!;
      const filter = { organizationId, notificationIds };
      const window = { order: 'asc', limit: notificationIds.length } as const;
      return await listNotifications(db, viewer, filter, window, { reader, namedSuffices: false });
    });
    const records = new Map(listed.map(({ notificationId, record }) => [notificationId, record]));
    return new Map(
      theirs.flatMap((event) => {
        const record = records.get(String(event.payload.notificationId));
        return record ? [[event.eventId, notificationMessage(event, record)]] : [];
      }),
    );
  };

  const ofUser = async (viewer: UserViewer, events: ReadEvent[]): Promise<Judged[]> => {
    const { organizationId } = viewer;
    const since = Math.max(0, ...events.map(({ readAt }) => readAt));
    const asked = new Map<string, Promise<boolean>>();
    const isReadable = (documentId: string): Promise<boolean> => {
      const known = asked.get(documentId) ?? mayRead(viewer, { organizationId, documentId }, since);
      asked.set(documentId, known);
      return known;
    };
    const notified = await ofNotifications(
      viewer,
      events.filter(({ name }) => name === 'notification.add'),
    );
    return await Promise.all(
      events.map(async (event): Promise<Judged> => {
        if (event.name === 'notification.add') return { message: notified.get(event.eventId) };
        const isTheirs = event.documentId === viewer.documentId;
        // Nobody may read what is gone; whoever asked for this very document could until then.
        if (event.name === 'document.delete')
          return isTheirs ? { message: event.whole(), isOver: true } : REFUSED;
        if (event.name === 'document.migrate') {
          if (isTheirs) return { message: event.whole(), isOver: true };
          const isTold = await isReadable(String(event.payload.newDocumentId));
          return isTold ? { message: event.whole() } : REFUSED;
        }
        if (event.documentId === null || !(await isReadable(event.documentId))) return REFUSED;
        return { message: event.annotation ? await ofAnnotation(viewer, event) : event.whole() };
      }),
    );
  };

  return {
    mayRead,
    async judge(viewer, events) {
      const asked = events.map((event) => isAskedFor(viewer, event));
      const wanted = events.filter((_, index) => asked[index]);
      const judged = isUser(viewer)
        ? await ofUser(viewer, wanted)
        : wanted.map((event) => ({ message: event.whole() }));
      const rest = judged.values();
      return asked.map((isAsked) => {
        const one = isAsked ? rest.next().value! : REFUSED;
        // An event may turn into another on its way, which is then not what was asked for.
        return one.message && viewer.names?.has(one.message.name) === false ? { ...one, ...REFUSED } : one;
      });
    },
    forget() {
      facts.forgetOlderThan(KNOWN_FOR_MS);
      holdings.forgetOlderThan(KNOWN_FOR_MS);
    },
  };
}

const REFUSED: Judged = { message: undefined };

const isFresh = ({ at }: Known<unknown>, since: number, lets: () => boolean): boolean =>
  Date.now() - at < KNOWN_FOR_MS && (at >= since || lets());

const isNamedIn = ({ user }: UserViewer, { notifyAll, notifyUserIds }: Record<string, unknown>): boolean =>
  notifyAll === true || (Array.isArray(notifyUserIds) && notifyUserIds.includes(user.userId));

function isAskedFor({ documentId, names }: Viewer, event: ReadEvent): boolean {
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
