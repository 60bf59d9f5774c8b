import { type ClientOptions, type Connection, connect } from './connection.ts';
import type { EventsOptions, EventsQuery } from './events.ts';
import { type Groups, groupsOf } from './groups.ts';
import { lazy } from './lazy.ts';
import { type LiveStores, liveOf } from './live.ts';
import type { LiveEvent } from './live-events.ts';
import type { Reviews } from './runs.ts';
import type { Uploads } from './uploads.ts';

export type { Safe } from './calls.ts';
export type { CallOptions, ClientOptions, Connection, Warning } from './connection.ts';
export { type ErrorStatus, type Issue, isRedpenError, RedpenError } from './errors.ts';
export type { EventsOptions, EventsQuery } from './events.ts';
export type { Groups } from './groups.ts';
export type * from './live-events.ts';
export type { Names } from './names.ts';
export type * from './operations.ts';
export type { Review as ReviewRecord } from './operations.ts';
export type { Page, Pager } from './paging.ts';
export type {
  Review,
  ReviewEvent,
  ReviewFinding,
  ReviewRequest,
  ReviewResult,
  Reviews,
  WaitOptions,
} from './runs.ts';
export type * from './stores.ts';
export type {
  AttachmentUpload,
  KnowledgeUpload,
  UploadedAttachment,
  UploadedKnowledge,
  UploadProgress,
  Uploads,
} from './uploads.ts';

/** A client: `redpen.<group>.<operation>(data, options)`. */
export type Redpen = Omit<Groups, 'reviews'> &
  Uploads & {
    /** Reviews of pages, which last longer than a request. */
    reviews: Omit<Groups['reviews'], 'run'> & Reviews;
    /** The events of an organization or document, from now on; see the documentation of live events. */
    events(query: EventsQuery, options?: EventsOptions): AsyncGenerator<LiveEvent, void>;
    /** Stores of threads, notifications, presence and runs, which are kept up to date. */
    live: LiveStores;
    /** For functions of other modules. */
    connection: Connection;
  };

export function createClient(options: ClientOptions): Redpen {
  const connection = connect(options);
  const groups = groupsOf(connection);
  // Loaded on first use: many pages need none of them.
  const reviews = async () => (await import('./runs.ts')).reviewsOf(connection, groups.executions.get);
  const uploads = <K extends keyof Uploads>(group: K) =>
    lazy(async () => (await import('./uploads.ts')).uploadsOf(connection)[group], 'upload');
  return {
    ...groups,
    attachments: { ...groups.attachments, ...uploads('attachments') },
    knowledge: { ...groups.knowledge, ...uploads('knowledge') },
    reviews: { ...groups.reviews, ...lazy(reviews, 'run resume') },
    async *events(query, given) {
      const { openEvents } = await import('./events.ts');
      yield* openEvents(connection, query, given);
    },
    live: liveOf(connection),
    connection,
  };
}
