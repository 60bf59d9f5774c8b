import type { WebhookEndpoint } from '../../shapes/webhook.ts';
import type { EndpointView } from '../../store/webhooks/endpoints.ts';

/** An endpoint as the API returns it, without its secrets. */
export const showEndpoint = (row: EndpointView): WebhookEndpoint => ({
  id: row.endpointId,
  url: row.url,
  description: row.description,
  filterTypes: row.filterTypes,
  channels: row.channels,
  disabled: row.disabled,
  disabledReason: row.disabledReason,
  failingSince: row.failingSince === null ? null : iso(row.failingSince),
  rateLimit: row.rateLimit,
  uid: row.uid,
  metadata: row.metadata,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
});

const iso = (at: number): string => new Date(at).toISOString();
