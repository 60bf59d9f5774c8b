import { type Embedder, type Embeddings, EmbedFailure } from '../../outside/embed/vectors/embedder.ts';
import type { ClosableMail } from '../../outside/mail/create-mail.ts';
import { MailFailure } from '../../outside/mail/mail.ts';
import { ModelFailure, type ModelProvider, type Models } from '../../outside/models/models.ts';
import type { BlobStore } from '../../outside/storage/blob-store.ts';
import { BlobFailure } from '../../outside/storage/blob-store.ts';
import { asSentence, failed, reasonOf } from './check.ts';
import { embeddingsFailure } from './check-embeddings.ts';
import { ADDRESSES } from './check-model.ts';
import type { HealthWatch } from './health-watch.ts';

type Note = Pick<HealthWatch, 'note'>;

/** Awaits work and reports its outcome. */
const noting = async <T>(
  work: Promise<T>,
  onSuccess: () => void,
  onFailure: (error: unknown) => void,
): Promise<T> => {
  try {
    const done = await work;
    onSuccess();
    return done;
  } catch (error) {
    onFailure(error);
    throw error;
  }
};

/** A blob store that reports to the health watch whether files can be stored. */
export const watchBlobs = (blobs: BlobStore, health: Note): BlobStore => ({
  ...blobs,
  put: (...request) =>
    noting(
      blobs.put(...request),
      () => health.note('files', 'works'),
      (error) => {
        if (!(error instanceof BlobFailure)) return;
        const found = asSentence(`${error.message} ${reasonOf(error.cause)}`);
        health.note('files', failed(found, undefined, error.message));
      },
    ),
});

/** Mail that reports to the health watch whether the operator's server accepts it. */
export const watchMail = (mail: ClosableMail, health: Note): ClosableMail => ({
  ...mail,
  send: (message, carrier) =>
    noting(
      mail.send(message, carrier),
      () => {
        if (carrier.type === 'smtp') health.note('mail', 'works');
      },
      (error) => {
        if (carrier.type !== 'smtp' || !(error instanceof MailFailure) || !error.affectsAll) return;
        const brief = 'The mail server cannot be used (REDPEN_SMTP_URL).';
        health.note('mail', failed(asSentence(reasonOf(error)), 'Check REDPEN_SMTP_URL.', brief));
      },
    ),
});

/**
 * Models that report to the health watch whether their providers can be reached. Invalid requests of callers are not
 * faults of a provider.
 */
export function watchModels(models: Models, health: Note): Models {
  /** Provider of the current fault: a success with another provider does not end it. */
  let blamed: ModelProvider | undefined;
  return {
    ...models,
    get configured() {
      return models.configured;
    },
    ask: (request) => {
      const { provider } = request.choice;
      return noting(
        models.ask(request),
        () => {
          if (blamed === provider) health.note('model', 'works');
        },
        (error) => {
          if (!(error instanceof ModelFailure) || error.kind !== 'unavailable') return;
          blamed = provider;
          const brief = `The model provider ${provider} cannot be reached.`;
          health.note('model', failed(error.message, `Check ${ADDRESSES[provider]} and the network.`, brief));
        },
      );
    },
  };
}

/** Embeddings that report to the health watch whether the model of REDPEN_EMBEDDINGS works. */
export function watchEmbeddings(embeddings: Embeddings, choice: string, health: Note): Embeddings {
  const { current } = embeddings;
  const noted = <T>(work: Promise<T>): Promise<T> =>
    noting(
      work,
      () => health.note('embeddings', 'works'),
      (error) => {
        if (error instanceof EmbedFailure && isOfModel(error, choice))
          health.note('embeddings', embeddingsFailure(error, choice));
      },
    );
  const watched: Embedder = {
    model: current.model,
    embed: (...request) => noted(current.embed(...request)),
    embedQuery: (...request) => noted(current.embedQuery(...request)),
  };
  return {
    ...embeddings,
    current: watched,
    of: (model) => {
      const found = embeddings.of(model);
      return found === current ? watched : found;
    },
  };
}

/** True if the model would fail with any text. A single text may crash the local one. */
const isOfModel = ({ kind, place }: EmbedFailure, choice: string): boolean =>
  place === undefined &&
  (kind === 'not-configured' || kind === 'unavailable' || (kind === 'rejected' && choice !== 'local'));
