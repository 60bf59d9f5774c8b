import type { GeneratedAlways } from 'kysely';

export type EndpointKind = 'advanced' | 'raw' | 'processed';
/**
 * The reason why nothing is sent: the caller disabled it, the receiver answered 410, or all attempts failed for days.
 */
export type DisabledReason = 'caller' | 'gone' | 'failing';
/**
 * `waiting`: for its first or next attempt. `failed`: the last attempt failed. `held`: the endpoint was disabled. A
 * replay makes `failed` and `held` deliveries wait again.
 */
export type DeliveryStatus = 'waiting' | 'delivered' | 'failed' | 'held';

/** One attempt, as it is stored and shown. */
export interface Attempt {
  /** Epoch milliseconds. */
  at: number;
  outcome: AttemptOutcome;
  /** HTTP status, if the receiver answered. */
  status?: number;
  latencyMs: number;
  /** The beginning of the answer's body, without secrets. */
  response?: string;
  /** Why the attempt failed, as a sentence. */
  error?: string;
}

/** `refused`: the receiver answered, but not with 2xx. */
export type AttemptOutcome = 'delivered' | 'refused' | 'timeout' | 'unreachable';

export interface WebhookTables {
  /** The endpoints of the API, and the two of the basic configuration, whose ids are their kinds. */
  webhookEndpoints: {
    apiKeyId: string;
    endpointId: string;
    workspaceId: string;
    kind: EndpointKind;
    url: string;
    description: string | null;
    /** Null for all events that are not opt-in. */
    filterTypes: string[] | null;
    channels: string[] | null;
    disabled: boolean;
    disabledReason: DisabledReason | null;
    /** Deliveries per second. */
    rateLimit: number | null;
    uid: string | null;
    metadata: Record<string, string> | null;
    secretSealed: string | null;
    /** When the secret was made; null if it is as old as the endpoint, as far as is known. */
    secretAt: number | null;
    previousSecretSealed: string | null;
    /** Time until which the previous secret signs in addition to the current one. */
    previousSecretUntil: number | null;
    createdAt: number;
    updatedAt: number;
  };
  /** An event in the form in which it is sent; only events that an endpoint wants have a message. */
  webhookMessages: {
    apiKeyId: string;
    /** The event's id, which receivers get as `webhook-id`. */
    messageId: string;
    seq: number;
    eventType: string;
    organizationId: string | null;
    /** JSON for advanced endpoints. */
    body: string;
    /** JSON for basic endpoints, if they take the event. */
    basicBody: string | null;
    createdAt: number;
  };
  /** The delivery of one message to one endpoint. */
  webhookDeliveries: {
    apiKeyId: string;
    messageId: string;
    endpointId: string;
    eventType: string;
    seq: number;
    /** A delivery waits until all earlier ones with the same key have finished. Endpoints share no keys. */
    orderKey: string | null;
    status: DeliveryStatus;
    /** Failures since it was created or replayed. */
    tries: number;
    /** Time of the next attempt; null once it has finished. */
    nextAt: number | null;
    attempts: Attempt[];
    createdAt: number;
    finishedAt: number | null;
    /** The API key and the endpoint, joined. */
    lane: GeneratedAlways<string>;
  };
  /** The time at which an endpoint's next delivery is due, and the endpoint's health. */
  webhookLanes: {
    apiKeyId: string;
    endpointId: string;
    nextAt: number | null;
    /** End of a pause, after many failures or at the receiver's request. */
    pausedUntil: number | null;
    /** Time since which every attempt failed. */
    failingSince: number | null;
    /** Share of the time until the endpoint is disabled, at the last warning to its owner. */
    toldPercent: number;
    toldAt: number | null;
  };
  /** The lease of the process that delivers to an endpoint. */
  webhookLeases: {
    apiKeyId: string;
    endpointId: string;
    holder: string;
    until: number;
  };
}
