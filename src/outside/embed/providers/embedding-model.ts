import { addressOf, NO_KEY, type ProviderAccess } from '../../models/language-model.ts';

type OpenAi = ReturnType<typeof import('@ai-sdk/openai').createOpenAI>;
type EmbeddingModel = ReturnType<OpenAi['embeddingModel']>;

export type EmbeddingProvider = 'openai' | 'gemini';

/** Creates the provider's client for an embedding model, which sends everything through `fetch`. */
export async function embeddingModel(
  provider: EmbeddingProvider,
  model: string,
  access: ProviderAccess,
  fetch: typeof globalThis.fetch,
): Promise<EmbeddingModel> {
  const settings = { baseURL: addressOf(provider, access.baseUrl), apiKey: access.apiKey ?? NO_KEY, fetch };
  if (provider === 'gemini') {
    const { createGoogle } = await import('@ai-sdk/google');
    return createGoogle(settings).embeddingModel(model);
  }
  const { createOpenAI } = await import('@ai-sdk/openai');
  return createOpenAI(settings).embeddingModel(model);
}
