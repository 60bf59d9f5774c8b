import { type Embedder, EmbedFailure } from '../vectors/embedder.ts';
import { meanVector } from '../vectors/mean-vector.ts';
import { startChildModel } from './child-model.ts';
import { createModelHost, type HostSettings } from './model-host.ts';
import { cutToReadable } from './token-windows.ts';

const blameText = ({ kind, message }: EmbedFailure, place: number) =>
  new EmbedFailure(kind, message, { place });

/** Stored with every vector; it must change with anything that changes vectors. */
export const LOCAL_MODEL = 'local:all-MiniLM-L6-v2-int8';

const IDLE_MS = 5 * 60_000;

export interface LocalEmbedder extends Embedder {
  close(): Promise<void>;
}

/**
 * The bundled model, in a process of its own that starts when it is needed and ends after a time without work. Vectors
 * have 384 dimensions.
 *
 * A text is embedded in up to 32 windows of 254 tokens that overlap by 32, up to 64,000 characters: about 5,000 words.
 * Of a query, 3,000 characters are embedded.
 */
export function createLocalEmbedder(settings: Partial<HostSettings> = {}): LocalEmbedder {
  const host = createModelHost({
    log: () => {},
    start: startChildModel,
    silenceMs: 30_000,
    idleMs: IDLE_MS,
    ...settings,
  });

  const run = (texts: readonly string[], isQuery: boolean, signal: AbortSignal | undefined) =>
    new Promise<Float32Array[][]>((resolve, reject) => {
      const found: Float32Array[][] = new Array(texts.length);
      let missing = texts.length;
      if (missing === 0) return resolve(found);
      const settle = (finish: () => void) => {
        signal?.removeEventListener('abort', onAbort);
        finish();
      };
      const withdraw = host.add(
        texts.map((text, place) => ({
          text: cutToReadable(text, isQuery),
          isQuery,
          done(vectors) {
            found[place] = vectors;
            if (--missing === 0) settle(() => resolve(found));
          },
          failed: (failure) =>
            settle(() => {
              withdraw();
              reject(
                failure.kind === 'rejected' || failure.kind === 'timeout'
                  ? blameText(failure, place)
                  : failure,
              );
            }),
        })),
      );
      const onAbort = () =>
        settle(() => {
          withdraw();
          reject(new EmbedFailure('aborted', 'Embedding was given up.', { cause: signal?.reason }));
        });
      if (signal?.aborted) onAbort();
      else signal?.addEventListener('abort', onAbort, { once: true });
    });

  return {
    model: LOCAL_MODEL,
    embed: (texts, { signal } = {}) => run(texts, false, signal),
    async embedQuery(text, { signal } = {}) {
      const [windows] = await run([text], true, signal);
      return meanVector(windows!);
    },
    close: host.close,
  };
}
