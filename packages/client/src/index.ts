import { type ClientOptions, type Connection, connect } from './connection.ts';
import type { EventsOptions, EventsQuery } from './events.ts';
import { type Groups, groupsOf } from './groups.ts';
import type { LiveEvent } from './live-events.ts';
import type { Reviews } from './runs.ts';
import type { UploadAttachment, UploadKnowledge } from './uploads.ts';

export type { Safe } from './calls.ts';
export type { CallOptions, ClientOptions, Connection, Warning } from './connection.ts';
export { type ErrorStatus, type Issue, isRedpenError, RedpenError } from './errors.ts';
export type { EventsOptions, EventsQuery } from './events.ts';
export type { Groups } from './groups.ts';
export type * from './live-events.ts';
export type { Names } from './names.ts';
export type * from './operations.ts';
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
export type {
  AttachmentUpload,
  KnowledgeUpload,
  UploadAttachment,
  UploadedAttachment,
  UploadedKnowledge,
  UploadKnowledge,
  UploadProgress,
} from './uploads.ts';

/** A client: `redpen.<group>.<operation>(data, options)`. */
export type Redpen = Groups & {
  /** Reviews of pages, which last longer than a request. */
  reviews: Reviews;
  attachments: {
    /** Uploads a file for `attachments` of a comment on the document. */
    upload: UploadAttachment;
  };
  knowledge: {
    /** Uploads a file and waits until the memory has read it. */
    upload: UploadKnowledge;
  };
  /** The events of an organization or document, from now on; see the documentation of live events. */
  events(query: EventsQuery, options?: EventsOptions): AsyncGenerator<LiveEvent, void>;
  /** For functions of other modules. */
  connection: Connection;
};

export function createClient(options: ClientOptions): Redpen {
  const connection = connect(options);
  const groups = groupsOf(connection);
  // Loaded on first use: many pages need neither.
  const reviews = async () => (await import('./runs.ts')).reviewsOf(connection, groups.executions.get);
  const uploads = () => import('./uploads.ts');
  const { attachments, knowledge } = groups;
  const upload: UploadAttachment = async (blob, given) =>
    (await uploads()).uploadAttachment(connection, blob, given);
  const uploadToMemory: UploadKnowledge = async (blob, given) =>
    (await uploads()).uploadKnowledge(connection, blob, given);
  return {
    ...groups,
    attachments: { ...attachments, upload },
    knowledge: { ...knowledge, upload: uploadToMemory },
    reviews: {
      run: async (request, given) => (await reviews()).run(request, given),
      resume: async (executionIds) => (await reviews()).resume(executionIds),
    },
    async *events(query, given) {
      const { openEvents } = await import('./events.ts');
      yield* openEvents(connection, query, given);
    },
    connection,
  };
}
