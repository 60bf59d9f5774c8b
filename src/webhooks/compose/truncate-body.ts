import { KEPT_OF_BASIC, keptOf } from '../catalog/kept-fields.ts';
import type { WebhookEventType } from '../catalog/webhook-catalog.ts';
import { keep } from './pick-fields.ts';

/** In bytes of JSON. Receivers commonly refuse more. */
export const MAX_BODY_BYTES = 262_144;

/** Ids are no longer than this, and of long lists the beginning is told. */
const BOUNDS = { entries: 20, text: 512 };

type Body = Record<string, unknown>;

/** The JSON of a body; of one that is too large only ids, types, statuses, numbers and times. */
export function bounded(body: Body, type: WebhookEventType, form: 'advanced' | 'basic'): string {
  const whole = JSON.stringify(body);
  // Counting bytes is only worth it where there could be too many: none is more than three for a character.
  if (whole.length * 3 <= MAX_BODY_BYTES || Buffer.byteLength(whole) <= MAX_BODY_BYTES) return whole;
  const kept = form === 'advanced' ? keptOf(type) : KEPT_OF_BASIC;
  const { data, ...thin } = keep(body, kept, BOUNDS) as Body;
  return JSON.stringify({ ...thin, truncated: true, ...(data !== undefined && { data }) });
}
