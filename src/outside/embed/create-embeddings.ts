import { Agent } from 'undici';
import type { ProviderAccess } from '../models/language-model.ts';
import { createLocalEmbedder, LOCAL_MODEL } from './local/create-local-embedder.ts';
import { createProviderEmbedder, isConfigured } from './providers/create-provider-embedder.ts';
import type { EmbeddingProvider } from './providers/embedding-model.ts';
import type { Embedder, Embeddings } from './vectors/embedder.ts';

export interface EmbeddingSettings {
  /** `local`, `openai:MODEL` or `gemini:MODEL`. */
  choice: string;
  providers: Record<EmbeddingProvider, ProviderAccess>;
  log?: ((message: string, data?: Record<string, unknown>) => void) | undefined;
  /** First back-off between retries if the provider names no delay; it doubles, with jitter. Default 500. */
  backoffMs?: number | undefined;
}

/**
 * The configured embedding models. With `local`, nothing is sent anywhere. Nothing is started or requested before its
 * first use, so a provider without a key fails on use.
 */
export function createEmbeddings(settings: EmbeddingSettings): Embeddings {
  const local = createLocalEmbedder(settings.log && { log: settings.log });
  let dispatcher: Agent | undefined;
  const agent = () => (dispatcher ??= new Agent({ connect: { timeout: 10_000 } }));

  const split = (choice: string): [EmbeddingProvider, string] | undefined => {
    const [, provider, model] = /^(openai|gemini):(.+)$/s.exec(choice) ?? [];
    return provider && model ? [provider as EmbeddingProvider, model] : undefined;
  };
  const embedders = new Map<string, Embedder>([[LOCAL_MODEL, local]]);
  const made = (choice: string): Embedder | undefined => {
    const [provider, model] = split(choice) ?? [];
    if (provider && model && !embedders.has(choice)) {
      const access = settings.providers[provider];
      const { backoffMs = 500 } = settings;
      embedders.set(choice, createProviderEmbedder({ provider, model, access, agent, backoffMs }));
    }
    return embedders.get(choice);
  };

  return {
    current: made(settings.choice) ?? local,
    of(model) {
      const [provider] = split(model) ?? [];
      return provider && !isConfigured(settings.providers[provider]) ? undefined : made(model);
    },
    async close() {
      await local.close();
      await dispatcher?.destroy();
      dispatcher = undefined;
    },
  };
}
