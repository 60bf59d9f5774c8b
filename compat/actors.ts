// What a run of the contract is given, and what its sections share.
import { createClient, isRedpenError, type Redpen, type RedpenError } from '@redpen/client';

/** What a run of the contract is given. */
export interface Stage {
  /** An organization that no other run uses. */
  organizationId: string;
  /** The address of the service for user tokens; in a page, another origin. */
  url: string;
  /** The address of the service for the credentials of the API key; in a page, its own origin. */
  backendUrl: string;
  apiKey: string;
  authToken: string;
  /** A proxy that loses the first answer to each request, and cuts the first stream after its first event. */
  shakyUrl: string;
  /** A page with one broken link. */
  siteUrl: string;
  /** An encrypted message that the service has sent. */
  webhook: { body: string; headers: Record<string, string>; secret: string; privateKey: string };
}

export interface Actors {
  stage: Stage;
  /** With the credentials of the API key. */
  backend: Redpen;
  /** With a token of the user. */
  user: Redpen;
  /** With a token of another user. */
  other: Redpen;
  place: { organizationId: string; documentId: string };
}

/** The sections of a part of the contract, by name. They run one after the other. */
export type Sections = Record<string, (actors: Actors) => Promise<void>>;

export const USER = { userId: 'ada', name: 'Ada', email: 'ada@example.com' };
export const OTHER = { userId: 'bob', name: 'Bob', email: 'bob@example.com' };
/** The later ones are for a section each. */
export const DOCUMENTS = ['d1', 'd2', 'd3', 'd4', 'd5'];

const sorted = (value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
export const textOf = (value: unknown) => JSON.stringify(value, (_, inner: unknown) => sorted(inner));

export function equal(actual: unknown, expected: unknown): void {
  if (textOf(actual) !== textOf(expected)) {
    throw new Error(`Expected ${textOf(expected)}, but it is ${textOf(actual)}.`);
  }
}

export async function refusal(work: Promise<unknown>): Promise<RedpenError> {
  try {
    await work;
  } catch (error) {
    if (isRedpenError(error)) return error;
    throw error;
  }
  throw new Error('It should have been refused.');
}

export async function tokenOf(
  { stage, backend }: Pick<Actors, 'stage' | 'backend'>,
  user = USER,
): Promise<string> {
  const { userId, ...userProperties } = user;
  const { token } = await backend.auth.generateToken({
    userId,
    userProperties,
    permissions: { resources: [{ type: 'organization', id: stage.organizationId }] },
  });
  return token;
}

/** A client of each kind. */
export function actorsOf(stage: Stage): Actors {
  const { backendUrl: baseUrl, apiKey, authToken, organizationId } = stage;
  const backend = createClient({ baseUrl, apiKey, authToken, dangerouslyAllowBrowser: true });
  const signIn = (user: typeof USER) =>
    createClient({ baseUrl: stage.url, getUserToken: () => tokenOf({ stage, backend }, user) });
  const place = { organizationId, documentId: 'd1' };
  return { stage, backend, user: signIn(USER), other: signIn(OTHER), place };
}

export async function addThread(
  { user, place }: Pick<Actors, 'user' | 'place'>,
  text: string,
): Promise<string> {
  const added = await user.annotations.add({
    ...place,
    commentAnnotations: [{ commentData: [{ commentText: text }] }],
  });
  const [id] = Object.keys(added);
  if (id === undefined) throw new Error('No annotation was added.');
  return id;
}

interface Stateful<S> {
  get(): S;
  subscribe(listener: () => void): () => void;
}

/** Waits until a state holds that comes without a question. */
export const settled = <S extends { status: string; error?: unknown }>(
  { get, subscribe }: Stateful<S>,
  holds: (state: S) => unknown,
): Promise<S> =>
  new Promise((resolve, reject) => {
    const check = () => {
      const state = get();
      if (holds(state)) resolve(state);
      else if (state.status === 'failed') reject(state.error);
      else return;
      // The store may call its listener before it returns how to stop.
      queueMicrotask(() => stop());
    };
    const stop = subscribe(check);
    check();
  });

/** Waits until the service says that it has as many of something open. */
export async function untilOpen(
  { stage }: Pick<Actors, 'stage'>,
  metric: 'redpen_event_streams_open' | 'redpen_realtime_connections',
  count: number,
): Promise<void> {
  for (;;) {
    const text = await (await fetch(`${stage.backendUrl}/metrics`)).text();
    if (text.split('\n').includes(`${metric} ${count}`)) return;
    await new Promise((done) => setTimeout(done, 20));
  }
}
