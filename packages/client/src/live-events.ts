import type { Operations } from './operations.ts';
import type { WebhookMessages } from './webhook-messages.ts';

type Annotation = Operations['/v2/commentannotations/get']['item'];
type Comment = Operations['/v2/commentannotations/comments/get']['item'];

interface Place {
  organizationId: string;
  /** Absent for events of an organization. */
  documentId?: string;
  /** Epoch milliseconds. */
  at: number;
}

interface OfAnnotation extends Place {
  annotationId: string;
  /** As it is now, without its comments. */
  commentAnnotation?: Omit<Annotation, 'comments'>;
  targetComment?: Partial<Comment>;
  actionUser?: { userId: string; [key: string]: unknown };
}

interface OfReaction extends OfAnnotation {
  reaction: WebhookMessages['comment.reaction_add']['data']['reaction'];
}

interface OfRun extends Partial<Place> {
  at: number;
  executionId: string;
  agentId: string;
}

/** The data of live events, by name. */
export interface LiveEventData {
  'presence.update': Place & {
    users: { userId: string; status: 'online' | 'away' | 'offline'; [key: string]: unknown }[];
  };
  'presence.delete': Place & { userIds: string[] };
  'live_state.broadcast': Place & { liveStateDataId: string; data: Record<string, unknown> };
  'comment_annotation.add': OfAnnotation;
  'comment_annotation.update': OfAnnotation;
  'comment_annotation.assign': OfAnnotation;
  'comment_annotation.status_change': OfAnnotation & {
    oldStatus: Record<string, unknown>;
    newStatus: Record<string, unknown>;
  };
  'comment_annotation.priority_change': OfAnnotation & { newPriority: Record<string, unknown> | null };
  'comment_annotation.suggestion_accept': OfAnnotation;
  'comment_annotation.suggestion_reject': OfAnnotation;
  'comment_annotation.delete': OfAnnotation;
  'comment.add': OfAnnotation;
  'comment.update': OfAnnotation;
  'comment.delete': OfAnnotation;
  'comment.reaction_add': OfReaction;
  'comment.reaction_delete': OfReaction;
  'notification.add': Place & {
    notificationId: string;
    notificationSource: string;
    notification: Operations['/v2/notifications/get']['item'];
  };
  'document.add': Place & { documentName: string };
  'document.update': Place & { documentName: string; disabled: boolean };
  'document.migrate': Place & { newDocumentId: string; migrationId: string };
  'document.delete': Place;
  /** An editor was changed. `editors.list` returns its content. */
  'crdt.update_data': Place & {
    editorId: string;
    crdtData: { id: string; lastUpdate: string; lastUpdatedBy: string | null; sessionId: string | null };
    actionUser?: { userId: string };
  };
  /** A run was started; it may still wait for its turn. */
  'agent_execution.started': OfRun & { agentName: string; seedUrl: string; startedAt: number };
  /** At most about one a second for a run. */
  'agent_execution.progress': OfRun & {
    phase: 'planning' | 'reviewing' | 'comparing' | 'finishing';
    message: string;
    done: number;
    total: number;
    findings: number;
  };
  'agent_execution.page': OfRun & {
    url: string;
    status: 'completed' | 'failed' | 'skipped';
    findings: number;
  };
  'agent_execution.completed': OfRun &
    Omit<WebhookMessages['agent_execution.completed']['data'], keyof OfRun>;
  /** Events since the last position are no longer known: read the state again. */
  reset: Partial<Place>;
}

export type LiveEventName = keyof LiveEventData;

/** The first part of the name of an event. */
export type LiveEventFamily = LiveEventName extends infer N
  ? N extends `${infer Family}.${string}`
    ? Family
    : never
  : never;

/** An event, told apart by `event`. Later versions of the service may send others. */
export type LiveEvent = {
  [N in LiveEventName]: {
    event: N;
    /** The position of the event; undefined for `reset`. */
    id: string | undefined;
    data: LiveEventData[N];
  };
}[LiveEventName];
