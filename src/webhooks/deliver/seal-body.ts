import { KEPT_OF_BASIC, keptOf } from '../catalog/kept-fields.ts';
import { isWebhookEvent } from '../catalog/webhook-catalog.ts';
import { keep } from '../compose/pick-fields.ts';

/**
 * A body without anything that people wrote or that tells who they are: ids, types, statuses, numbers and times
 * stay. It keeps what is known to be harmless, rather than taking out what is known not to be.
 */
export function protect(json: string): string {
  const body = JSON.parse(json) as { event?: unknown };
  const { event } = body;
  if (event === undefined) return JSON.stringify(keep(body, KEPT_OF_BASIC));
  if (typeof event !== 'string' || !isWebhookEvent(event)) throw new Error(`No event ${event} is known.`);
  return JSON.stringify(keep(body, keptOf(event)));
}
