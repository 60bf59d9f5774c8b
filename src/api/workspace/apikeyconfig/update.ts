import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import type { StoredKeyConfig } from '../../../shapes/api-key-config.ts';
import { aiModelsConfig, newAiModelKey } from '../../../shapes/api-key-config.ts';
import { accessType } from '../../../shapes/document.ts';
import { ownWords } from '../../../shapes/own-words.ts';
import {
  lockConfig,
  maskKey,
  saveConfig,
  sealInConfig,
  showAiModels,
} from '../../../store/platform/stored-key-config.ts';

const clientFlag = z
  .boolean()
  .optional()
  .describe('Stored for clients; it does not change how the service works.');
const settings = z.object({
  enablePrivateComments: clientFlag,
  requireJwtToken: clientFlag,
  requireAutoOrgUser: clientFlag,
  defaultDocumentAccessType: accessType.optional(),
  spellCheckWords: ownWords.optional(),
});
const fields = { ...settings.shape, aiModelApiKey: z.array(newAiModelKey).min(1).max(20).optional() };

export default write({
  path: '/v2/workspace/apikeyconfig/update',
  auth: 'apiKey',
  role: 'owner',
  summary: 'Change the settings of an API key.',
  description: 'Fields that are not sent keep their values.',
  data: z
    .looseObject(fields)
    .refine(
      (data) => {
        const sent = Object.keys(data).filter((field) => data[field] !== undefined);
        return sent.length > 0 && sent.every((field) => Object.hasOwn(fields, field));
      },
      { error: 'At least one field must be provided for update' },
    )
    .meta({ examples: [{ defaultDocumentAccessType: 'organizationPrivate' }] }),
  result: settings
    .extend({ aiModelsConfig: aiModelsConfig.optional() })
    .describe('The changed settings with their new values.'),
  message: 'API key configuration updated successfully.',
  audit: {
    action: 'key.config_changed',
    of: ({ aiModelApiKey, ...after }, _result, { apiKeyId }) => ({
      id: apiKeyId,
      after: {
        ...after,
        ...(aiModelApiKey && { modelKeysOf: aiModelApiKey.map(({ provider }) => provider) }),
      },
    }),
  },

  async handle({ aiModelApiKey, ...data }, { tx, caller, keyring }) {
    const sent = settings.parse(data);
    const { config } = await lockConfig(tx, caller);
    const aiModels = { ...config.aiModels };
    for (const { provider, customerApiKey } of aiModelApiKey ?? []) {
      const sealed = sealInConfig(keyring, caller.apiKeyId, `aiModels.${provider}`, customerApiKey);
      aiModels[provider] = { ...sealed, displayText: maskKey(customerApiKey) };
    }
    const next: StoredKeyConfig = { ...config, ...sent, ...(aiModelApiKey && { aiModels }) };
    await saveConfig(tx, caller, next);
    return { ...sent, ...(aiModelApiKey && { aiModelsConfig: showAiModels(next) }) };
  },
});
