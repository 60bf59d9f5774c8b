import { type AddressSearch, choiceIn, textIn } from '../../data/use-address.ts';

const TABS = ['endpoints', 'deliveries', 'events', 'signature', 'format'] as const;
export type WebhookTab = (typeof TABS)[number];

const STATUSES = ['any', 'waiting', 'delivered', 'failed', 'held'] as const;
export type StatusFilter = (typeof STATUSES)[number];

const PERIODS = ['any', 'hour', 'day', 'week'] as const;
export type Period = (typeof PERIODS)[number];

export interface WebhookAddress {
  tab: WebhookTab;
  /** The endpoint whose deliveries are listed; undefined for all. */
  endpoint: string | undefined;
  status: StatusFilter;
  event: string | undefined;
  period: Period;
  /** Lists the deliveries of one message to all endpoints. */
  message: string | undefined;
}

export const webhookAddressOf = (search: AddressSearch): WebhookAddress => ({
  tab: choiceIn(search, 'tab', TABS),
  endpoint: textIn(search, 'endpoint'),
  status: choiceIn(search, 'status', STATUSES),
  event: textIn(search, 'event'),
  period: choiceIn(search, 'period', PERIODS),
  message: textIn(search, 'message'),
});

const HOUR = 3_600_000;
const LENGTHS: Record<Exclude<Period, 'any'>, number> = { hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR };

/** The beginning of a period that ends now. */
export const startOf = (period: Period, now: number): number | undefined =>
  period === 'any' ? undefined : now - LENGTHS[period];
