import type { ModelChoice, ModelProvider } from './models.ts';

type Anthropic = ReturnType<typeof import('@ai-sdk/anthropic').createAnthropic>;
export type LanguageModel = ReturnType<Anthropic['languageModel']>;
export type CallOptions = Parameters<LanguageModel['doStream']>[0];
export type ChatMessage = CallOptions['prompt'][number];
export type ProviderOptions = NonNullable<CallOptions['providerOptions']>;

export interface ProviderAccess {
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
}

/** OpenAI's newer API, or the one that compatible servers implement. */
export type OpenAiPath = 'responses' | 'chat';

const ownAddresses: Record<ModelProvider, string> = {
  claude: 'https://api.anthropic.com/v1',
  openai: 'https://api.openai.com/v1',
  gemini: 'https://generativelanguage.googleapis.com/v1beta',
};

/** Placeholder, since the clients require a key and local servers do not. */
export const NO_KEY = 'none';

/** Base URL of requests. An address without a path gets the path of the provider's own API. */
export function addressOf(provider: ModelProvider, baseUrl: string | undefined): string {
  if (baseUrl === undefined) return ownAddresses[provider];
  const url = new URL(baseUrl);
  if (url.pathname === '/') url.pathname = new URL(ownAddresses[provider]).pathname;
  return url.href.replace(/\/+$/, '');
}

export const isOwnAddress = (provider: ModelProvider, { baseUrl }: ProviderAccess): boolean =>
  new URL(addressOf(provider, baseUrl)).host === new URL(ownAddresses[provider]).host;

/** Creates the provider's client for a model, which sends everything through `fetch`. */
export async function languageModel(
  { provider, model }: ModelChoice,
  access: ProviderAccess,
  path: OpenAiPath,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModel> {
  const settings = { baseURL: addressOf(provider, access.baseUrl), apiKey: access.apiKey ?? NO_KEY, fetch };
  if (provider === 'claude') {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    return createAnthropic(settings).languageModel(model);
  }
  if (provider === 'gemini') {
    const { createGoogle } = await import('@ai-sdk/google');
    return createGoogle(settings).languageModel(model);
  }
  const { createOpenAI } = await import('@ai-sdk/openai');
  const openai = createOpenAI(settings);
  return path === 'chat' ? openai.chat(model) : openai.responses(model);
}
