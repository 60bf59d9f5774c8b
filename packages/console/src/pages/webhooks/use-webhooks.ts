import type { WebhookEndpoint } from '@redpen/client';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useKeyMutation, useKeyQuery } from '../../data/use-key-query.ts';
import { useKey, useRedpen } from '../../session/session.tsx';
import {
  type DeliveryPage,
  type DeliveryPart,
  mergedDeliveries,
  type Places,
  pageOf,
} from './merged-deliveries.ts';
import { startOf, type WebhookAddress } from './webhook-address.ts';

export const ENDPOINTS = ['webhooks', 'endpoints'] as const;
export const DELIVERIES = ['webhooks', 'deliveries'] as const;

export const useWebhookConfig = () =>
  useKeyQuery(['webhooks', 'config'], (redpen, signal) => redpen.webhookConfig.get({}, { signal }));

export const useEndpoints = (enabled: boolean) =>
  useKeyQuery<WebhookEndpoint[]>(
    ENDPOINTS,
    async (redpen, signal) => (await redpen.webhookEndpoints.list({ limit: 250 }, { signal })).endpoints,
    { enabled },
  );

export const useEventTypes = () =>
  useKeyQuery(['webhooks', 'events'], async (redpen, signal) =>
    (await redpen.webhookEventTypes.list({}, { signal })).eventTypes.toSorted((a, b) =>
      a.eventType.localeCompare(b.eventType),
    ),
  );

export const useReplay = () =>
  useKeyMutation(
    (redpen, asked: { endpointId: string; webhookId?: string; since?: number }) =>
      redpen.webhookDeliveries.replay(asked),
    { renews: [DELIVERIES] },
  );

interface Continuation {
  places: Places;
  since: number | undefined;
}

const FINISHED: DeliveryPart = { deliveries: [], iterator: null };
const part = (endpointId: string, of: DeliveryPart): [string, DeliveryPart] => [endpointId, of];
const PAGE = 25;
const WATCHED_MS = 3_000;

/** Deliveries by the filters of the address: those of one endpoint, of one message, or of all endpoints. */
export function useDeliveries(address: WebhookAddress, endpointIds: readonly string[]) {
  const { apiKeyId } = useKey().key;
  const redpen = useRedpen();
  const { endpoint, status, event, period, message } = address;
  const filter = {
    ...(message !== undefined && { webhookId: message }),
    ...(status !== 'any' && { status }),
    ...(event !== undefined && { eventType: event }),
  };
  const wanted = endpoint !== undefined ? [endpoint] : message !== undefined ? [''] : endpointIds;
  const query = useInfiniteQuery({
    queryKey: [apiKeyId, ...DELIVERIES, filter, period, wanted],
    initialPageParam: undefined as Continuation | undefined,
    async queryFn({ pageParam, signal }): Promise<DeliveryPage & { since: number | undefined }> {
      // An iterator continues the list of the same filters only.
      const since = pageParam ? pageParam.since : startOf(period, Date.now());
      const parts = await Promise.all(
        wanted.map(async (endpointId) => {
          const iterator = pageParam?.places[endpointId];
          if (pageParam && iterator === undefined) return part(endpointId, FINISHED);
          const answer = await redpen.webhookDeliveries.list(
            {
              ...filter,
              ...(endpointId !== '' && { endpointId }),
              ...(since !== undefined && { since }),
              ...(iterator !== undefined && { iterator }),
              limit: PAGE,
            },
            { signal },
          );
          return part(endpointId, answer);
        }),
      );
      return { ...pageOf(new Map(parts)), since };
    },
    getNextPageParam: ({ next, since }) => next && { places: next, since },
    // What waits may be delivered at any moment.
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ deliveries }) => deliveries.some((one) => one.status === 'waiting'))
        ? WATCHED_MS
        : false,
  });
  return { ...query, deliveries: mergedDeliveries(query.data?.pages ?? []) };
}
