import { type Embedder, EmbedFailure } from '../vectors/embedder.ts';
import { meanVector } from '../vectors/mean-vector.ts';
import { startChildModel } from './child-model.ts';
import { createModelHost, type HostSettings } from './model-host.ts';
import { cutToReadable } from './windows.ts';

const blame = ({ kind, message }: EmbedFailure, place: number) => new EmbedFailure(kind, message, { place });

/** Stands with the vectors; it changes with anything that changes them. */
export const LOCAL_MODEL = 'local:all-MiniLM-L6-v2-int8';

export interface LocalEmbedder extends Embedder {
  close(): Promise<void>;
}

/**
 * The model that comes with the service, in a process of its own that is started when it is first needed, and again
 * after it died. Vectors have 384 numbers.
 *
 * A text is read in windows of 254 word pieces, each 32 further back than the one before ends, up to 32 of them and
 * 64,000 characters: some 5,000 words; of a query 3,000 characters. What comes behind that is not read.
 */
export function createLocalEmbedder(settings: Partial<HostSettings> = {}): LocalEmbedder {
  const host = createModelHost({ log: () => {}, start: startChildModel, silenceMs: 30_000, ...settings });

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
                failure.kind === 'rejected' || failure.kind === 'timeout' ? blame(failure, place) : failure,
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
