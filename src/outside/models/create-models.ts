import type { ModelProvider, Models } from './models.ts';

export interface ModelSettings {
  providers: Record<ModelProvider, { apiKey?: string | undefined; baseUrl?: string | undefined }>;
  /** `provider/model`. */
  defaultModel?: string | undefined;
  /** `provider/model` each; empty allows any. */
  allowedModels: readonly string[];
}

export function createModels(_settings: ModelSettings): Models {
  return {
    configured: { claude: false, openai: false, gemini: false },
    choose: notYet,
    ask: notYet,
    close: async () => {},
  };
}
const notYet = () => {
  throw new Error('not built yet');
};
