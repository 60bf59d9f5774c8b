import { z } from 'zod';
import { type AccessType, accessType } from './document.ts';
import { named } from './named.ts';
import { ownWords } from './own-words.ts';

export const aiProviders = ['openai', 'anthropic', 'gemini'] as const;
export type AiProvider = (typeof aiProviders)[number];

export const newAiModelKey = z.object({
  provider: z.enum(aiProviders),
  customerApiKey: z.string().min(1).max(1_000).describe('Secret.'),
});

/** Keys of model providers, masked. */
export const aiModelsConfig = z
  .partialRecord(
    z.enum(aiProviders),
    z.object({ displayText: z.string().describe("The provider's API key, masked.") }),
  )
  .describe('Keyed by model provider. Absent if no key is set.');
export type AiModelsConfig = z.infer<typeof aiModelsConfig>;

/** A secret that is encrypted and bound to its API key and field. */
export interface SealedSecret {
  sealed: string;
}

/** The settings of an API key as they are stored. Absent settings have their defaults. */
export interface StoredKeyConfig {
  enablePrivateComments?: boolean;
  requireJwtToken?: boolean;
  requireAutoOrgUser?: boolean;
  defaultDocumentAccessType?: AccessType;
  /** Words that spell-check takes for right, in any case. */
  spellCheckWords?: string[];
  aiModels?: Partial<Record<AiProvider, SealedSecret & { displayText: string }>>;
  /** Settings of services, as earlier versions stored them. */
  [service: string]: unknown;
}

export const apiKeyConfig = named(
  'ApiKeyConfig',
  z.object({
    ownerEmail: z.string(),
    planInfo: z.object({ type: z.string() }),
    defaultDocumentAccessType: accessType,
    isPrivateCommentsEnabled: z.boolean(),
    requireJwtToken: z.boolean(),
    requireAutoOrgUser: z.boolean(),
    spellCheckWords: ownWords.optional(),
    aiModelsConfig: aiModelsConfig.optional(),
  }),
);

export const emailServiceConfig = z.object({
  type: z.enum(['default', 'sendgrid', 'custom']).optional(),
  apiKey: z.string().max(1_000).optional().describe('Secret.'),
  fromEmail: z.union([z.literal(''), z.email()]).optional(),
  fromCompany: z.string().max(200).optional(),
  commentTemplateId: z.string().max(200).optional(),
  tagTemplateId: z.string().max(200).optional(),
});
