import { type EventsQuery, openEvents } from '../../../packages/client/src/events.ts';
import type { Service } from '../service/reach-service.ts';

/** A resource that a client subscribes to, with the ids that its events name. */
interface Watched {
  uri: string;
  query: EventsQuery;
  annotationId?: string | undefined;
  executionIds?: readonly string[];
}

/** Each organization takes a stream of live events. */
const MAX_WATCHED = 50;

const streamOf = (organizationId: string | undefined): EventsQuery =>
  organizationId === undefined || organizationId === '' ? { scope: 'apiKey' } : { organizationId };

async function watchedOf({ call }: Service, uri: string): Promise<Watched | undefined> {
  const [, kind, id] = /^redpen:\/\/(findings|runs)\/([^/]+)/.exec(uri) ?? [];
  if (kind === undefined || id === undefined) return undefined;
  if (kind === 'findings') {
    const { finding } = await call('/v2/agents/findings/get', { findingId: decodeURIComponent(id) });
    return { uri, query: streamOf(finding.organizationId), annotationId: finding.annotationId };
  }
  const { review } = await call('/v2/reviews/get', { reviewId: decodeURIComponent(id) });
  return {
    uri,
    query: streamOf(review.metadata.organizationId),
    executionIds: review.executions.map(({ executionId }) => executionId),
  };
}

const isAbout = ({ annotationId, executionIds }: Watched, event: Record<string, unknown>): boolean =>
  (annotationId !== undefined && event.annotationId === annotationId) ||
  (typeof event.executionId === 'string' && (executionIds?.includes(event.executionId) ?? false));

/** The streams that resources need, each once. */
function byStream(watched: readonly Watched[]): Watched[][] {
  return [...Map.groupBy(watched, ({ query }) => JSON.stringify(query)).values()];
}

interface Watcher {
  onChange(uri: string): void;
  onError(error: unknown): void;
  signal: AbortSignal;
}

/**
 * Calls `onChange` when the live events of the service concern a resource, as far as the caller may read them, until the
 * signal. Returns once all changes from now on are seen. Resources that the caller may not read, and agents, change silently.
 */
export async function watchResources(
  uris: readonly string[],
  service: Service,
  watcher: Watcher,
): Promise<void> {
  const found = await Promise.all(
    uris.slice(0, MAX_WATCHED).map((uri) => watchedOf(service, uri).catch(() => undefined)),
  );
  const watched = found.filter((one) => one !== undefined);
  await Promise.all(byStream(watched).map((resources) => opened(resources, service, watcher)));
}

/** Follows a stream, and returns once it is open, or when it ends. */
const opened = (resources: readonly Watched[], service: Service, watcher: Watcher): Promise<void> =>
  new Promise((onOpen) => {
    void follow(resources, service, watcher, onOpen).finally(onOpen);
  });

async function follow(
  resources: readonly Watched[],
  { connection }: Service,
  { onChange, onError, signal }: Watcher,
  onOpen: () => void,
): Promise<void> {
  const [{ query }] = resources as [Watched];
  try {
    for await (const { data } of openEvents(connection, query, { signal, onOpen })) {
      for (const one of resources)
        if (isAbout(one, data as unknown as Record<string, unknown>)) onChange(one.uri);
    }
  } catch (error) {
    if (!signal.aborted) onError(error);
  }
}
