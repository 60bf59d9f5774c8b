import type { GeneratedAlways } from 'kysely';

export type EndpointKind = 'advanced' | 'raw' | 'processed';
/** Why nothing is sent: the caller said so, the receiver answered 410, or it only failed for days. */
export type DisabledReason = 'caller' | 'gone' | 'failing';
/**
 * `waiting`: for its first or next try. `failed`: every try was in vain. `held`: the endpoint was disabled;
 * both come back to life by a replay.
 */
export type DeliveryStatus = 'waiting' | 'delivered' | 'failed' | 'held';

/** One try, as it is kept and shown. */
export interface Attempt {
  /** Epoch milliseconds. */
  at: number;
  outcome: AttemptOutcome;
  /** HTTP status, where the receiver answered. */
  status?: number;
  latencyMs: number;
  /** The beginning of the answer's body; secrets are cut out. */
  response?: string;
  /** Why it failed, in words. */
  error?: string;
}

/** `refused`: the receiver answered, but not with 2xx. */
export type AttemptOutcome = 'delivered' | 'refused' | 'timeout' | 'unreachable';

export interface WebhookTables {
  /** Where messages go: those of the API, and the two of the basic configuration, whose ids are their kinds. */
  webhookEndpoints: {
    apiKeyId: string;
    endpointId: string;
    workspaceId: string;
    kind: EndpointKind;
    url: string;
    description: string | null;
    /** Null: every event that is not sent only on demand. */
    filterTypes: string[] | null;
    channels: string[] | null;
    disabled: boolean;
    disabledReason: DisabledReason | null;
    /** Deliveries a second. */
    rateLimit: number | null;
    uid: string | null;
    metadata: Record<string, string> | null;
    secretSealed: string | null;
    previousSecretSealed: string | null;
    /** Until when the earlier secret signs beside the present one. */
    previousSecretUntil: number | null;
    createdAt: number;
    updatedAt: number;
  };
  /** An event as it is sent; there is one only where an endpoint wants it. */
  webhookMessages: {
    apiKeyId: string;
    /** The event's id, which receivers get as `webhook-id`. */
    messageId: string;
    seq: number;
    eventType: string;
    organizationId: string | null;
    /** JSON for advanced endpoints. */
    body: string;
    /** JSON for the basic ones, where they take the event. */
    basicBody: string | null;
    createdAt: number;
  };
  /** The way of one message to one endpoint. */
  webhookDeliveries: {
    apiKeyId: string;
    messageId: string;
    endpointId: string;
    seq: number;
    /** A delivery waits until all earlier ones with the same key are over. Endpoints share no keys. */
    orderKey: string | null;
    status: DeliveryStatus;
    /** Failures since it was created or replayed. */
    tries: number;
    /** When it is due; null where it is over. */
    nextAt: number | null;
    attempts: Attempt[];
    createdAt: number;
    finishedAt: number | null;
    /** The API key and endpoint as one. */
    lane: GeneratedAlways<string>;
  };
  /** When an endpoint has something due, and how it fares. */
  webhookLanes: {
    apiKeyId: string;
    endpointId: string;
    nextAt: number | null;
    /** Until when nothing is sent, since everything failed of late or the receiver asked for it. */
    pausedUntil: number | null;
    /** Since when every try failed. */
    failingSince: number | null;
    /** Share of the time until the endpoint is disabled at which its owner was last warned. */
    toldPercent: number;
    toldAt: number | null;
  };
  /** Which process delivers to an endpoint. */
  webhookLeases: {
    apiKeyId: string;
    endpointId: string;
    holder: string;
    until: number;
  };
}
