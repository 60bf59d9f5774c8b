import type { Delivery } from '@redpen/client';

/** The next deliveries of one endpoint; the iterator continues them. */
export interface DeliveryPart {
  deliveries: readonly Delivery[];
  iterator: string | null;
}

/** The iterator of each endpoint that has more, where the list of all endpoints continues. */
export type Places = Readonly<Record<string, string>>;

export interface DeliveryPage {
  deliveries: readonly Delivery[];
  next: Places | undefined;
  /** Deliveries before this time are complete only once further pages are read. */
  completeFrom: number;
}

/** Joins the next deliveries of several endpoints, which the service lists one by one. */
export function pageOf(parts: ReadonlyMap<string, DeliveryPart>): DeliveryPage {
  const places: Record<string, string> = {};
  let completeFrom = Number.NEGATIVE_INFINITY;
  for (const [endpointId, { deliveries, iterator }] of parts) {
    if (iterator === null) continue;
    places[endpointId] = iterator;
    const oldest = deliveries.at(-1);
    if (oldest) completeFrom = Math.max(completeFrom, oldest.createdAt);
  }
  return {
    deliveries: [...parts.values()].flatMap(({ deliveries }) => deliveries),
    next: Object.keys(places).length > 0 ? places : undefined,
    completeFrom,
  };
}

/** The deliveries of all pages so far, newest first, up to where no endpoint can add older ones in between. */
export function mergedDeliveries(pages: readonly DeliveryPage[]): Delivery[] {
  const completeFrom = pages.at(-1)?.completeFrom ?? Number.NEGATIVE_INFINITY;
  return pages
    .flatMap(({ deliveries }) => deliveries)
    .filter(({ createdAt }) => createdAt >= completeFrom)
    .toSorted((a, b) => b.createdAt - a.createdAt);
}
