import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from 'undici';
import { NAME_IN_ADDRESS, settingsOf } from '../../models/choose-model.ts';
import { classifyFailure, type RequestFailure } from '../../models/classify-failure.ts';
import { addressOf, type ProviderAccess } from '../../models/language-model.ts';
import { createLimitedFetch } from '../../models/provider-fetch.ts';
import { type Embedder, EmbedFailure } from '../vectors/embedder.ts';
import { meanVector, normalize } from '../vectors/mean-vector.ts';
import { type EmbeddingProvider, embeddingModel } from './embedding-model.ts';
import { textWindows } from './text-windows.ts';

/** Windows per request; below every provider's limit, since the response is read into memory. */
const BATCH = 32;
const TRIES = 3;

/** Timeouts of a request with its retries, in ms; a caller waits for a query, and background work for stored texts. */
const timeouts = { query: 15_000, stored: 60_000 };

export interface EmbedderSettings {
  provider: EmbeddingProvider;
  /** The provider's name of the model. */
  model: string;
  access: ProviderAccess;
  agent: () => Agent;
  /** First back-off between retries if the provider names no delay, in ms; it doubles, with jitter. */
  backoffMs: number;
}

export const isConfigured = ({ apiKey, baseUrl }: ProviderAccess): boolean =>
  apiKey !== undefined || baseUrl !== undefined;

/** An embedding model of a provider or a compatible server. Texts are sent in overlapping windows. */
export function createProviderEmbedder(settings: EmbedderSettings): Embedder {
  const { provider, model } = settings;

  async function vectorsOf(windows: readonly string[], ms: number, signal: AbortSignal | undefined) {
    assertUsable(settings);
    const vectors: Float32Array[] = [];
    for (let at = 0; at < windows.length; at += BATCH) {
      vectors.push(...(await request(settings, windows.slice(at, at + BATCH), ms, signal)));
      if (vectors.at(-1)!.length !== vectors[0]!.length) {
        throw new EmbedFailure('rejected', 'The provider gave vectors of different lengths.');
      }
    }
    return vectors;
  }

  return {
    model: `${provider}:${model}`,
    async embed(texts, { signal } = {}) {
      const windows = texts.map(textWindows);
      const vectors = await vectorsOf(windows.flat(), timeouts.stored, signal);
      let end = 0;
      return windows.map((ofText) => {
        end += ofText.length;
        return vectors.slice(end - ofText.length, end);
      });
    },
    async embedQuery(text, { signal } = {}) {
      return meanVector(await vectorsOf(textWindows(text), timeouts.query, signal));
    },
  };
}

function assertUsable({ provider, model, access }: EmbedderSettings): void {
  if (!isConfigured(access)) {
    throw new EmbedFailure(
      'not-configured',
      `REDPEN_EMBEDDINGS names ${provider}, which is not configured: set ${settingsOf[provider]}.`,
    );
  }
  if (provider === 'gemini' && !NAME_IN_ADDRESS.test(model)) {
    throw new EmbedFailure('not-configured', 'REDPEN_EMBEDDINGS names no model that gemini could have.');
  }
}

/** Requests the vectors of windows, and retries with exponential back-off within the timeout. */
async function request(
  settings: EmbedderSettings,
  windows: string[],
  ms: number,
  signal: AbortSignal | undefined,
): Promise<Float32Array[]> {
  const time = AbortSignal.timeout(ms);
  const deadline = performance.now() + ms;
  const stop = signal ? AbortSignal.any([signal, time]) : time;
  for (let tried = 1; ; tried++) {
    try {
      stop.throwIfAborted();
      return await once(settings, windows, stop);
    } catch (error) {
      if (signal?.aborted) {
        throw new EmbedFailure('aborted', 'Embedding was given up.', { cause: signal.reason });
      }
      if (time.aborted) {
        throw new EmbedFailure('timeout', 'The provider of embeddings did not answer in time.');
      }
      if (error instanceof EmbedFailure) throw error;
      const failure = classifyFailure(error, {
        address: addressOf(settings.provider, settings.access.baseUrl),
        secrets: [settings.access.apiKey ?? ''],
        prompt: windows.join('\n'),
      });
      const waitMs = failure.waitMs ?? settings.backoffMs * 2 ** (tried - 1) * (0.5 + Math.random());
      if (!failure.isTemporary || tried === TRIES || performance.now() + waitMs >= deadline) {
        throw failureOf(failure, error);
      }
      await sleep(waitMs, undefined, { signal: stop }).catch(() => {});
    }
  }
}

async function once(
  { provider, model, access, agent }: EmbedderSettings,
  values: string[],
  abortSignal: AbortSignal,
): Promise<Float32Array[]> {
  const client = await embeddingModel(provider, model, access, createLimitedFetch(agent()));
  const { embeddings, response } = await client.doEmbed({ values, abortSignal });
  return readVectors(embeddings, response?.body, values.length);
}

function failureOf({ kind, reason, waitMs }: RequestFailure, cause: unknown): EmbedFailure {
  const known = kind === 'rate-limited' || kind === 'rejected' ? kind : 'unavailable';
  return new EmbedFailure(known, `${reason}.`, { retryAfterMs: waitMs, cause });
}

/** Above the dimension of every model. */
const MAX_DIMENSION = 16_000;

/**
 * Turns a provider's response into normalized vectors in the order of the request. `body` is the raw response. Throws
 * `EmbedFailure` (`rejected`) for an invalid response.
 */
function readVectors(
  embeddings: readonly (readonly number[])[],
  body: unknown,
  asked: number,
): Float32Array[] {
  if (embeddings.length !== asked) {
    throw new EmbedFailure('rejected', 'The provider gave another number of vectors than it was asked for.');
  }
  const ordered = inOrder(embeddings, body);
  const [first] = ordered;
  return ordered.map((numbers) => {
    const vector = normalize(Float32Array.from(numbers));
    const isOne = vector.every(Number.isFinite) && vector.some((number) => number !== 0);
    if (!isOne || numbers.length !== first!.length || numbers.length > MAX_DIMENSION) {
      throw new EmbedFailure('rejected', 'The provider gave something that is no vector.');
    }
    return vector;
  });
}

/** Sorts by the `index` of the raw response: compatible servers may answer out of order, which the client ignores. */
function inOrder(embeddings: readonly (readonly number[])[], body: unknown): readonly (readonly number[])[] {
  const { data } = (body ?? {}) as { data?: { index?: unknown }[] };
  const places = Array.isArray(data) ? data.map((item) => item?.index) : [];
  const ordered: (readonly number[])[] = [];
  for (const [at, place] of places.entries()) ordered[Number(place)] = embeddings[at]!;
  const isComplete = ordered.length === embeddings.length && !ordered.includes(undefined as never);
  return isComplete ? ordered : embeddings;
}
