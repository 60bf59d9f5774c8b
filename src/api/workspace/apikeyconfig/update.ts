import { z } from 'zod';
import { write } from '../../../http/endpoint.ts';
import { aiModelsConfig, newAiModelKey } from '../../../shapes/api-key-config.ts';
import { accessType } from '../../../shapes/document.ts';
import {
  lockConfig,
  maskKey,
  type StoredConfig,
  saveConfig,
  sealInConfig,
  showAiModels,
} from '../../../store/platform/stored-key-config.ts';

const settings = z.object({
  enablePrivateComments: z.boolean().optional(),
  requireJwtToken: z.boolean().optional(),
  requireAutoOrgUser: z.boolean().optional(),
  defaultDocumentAccessType: accessType.optional(),
});
const fields = { ...settings.shape, aiModelApiKey: z.array(newAiModelKey).min(1).max(20).optional() };

export default write({
  path: '/v2/workspace/apikeyconfig/update',
  auth: 'apiKey',
  summary: 'Change settings of the API key; fields that are not sent stay.',
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
    .describe('The fields sent, as they are now.'),
  message: 'API key configuration updated successfully.',

  async handle({ aiModelApiKey, ...data }, { tx, caller, keyring }) {
    const sent = settings.parse(data);
    const { config } = await lockConfig(tx, caller);
    const aiModels = { ...config.aiModels };
    for (const { provider, customerApiKey } of aiModelApiKey ?? []) {
      const sealed = sealInConfig(keyring, caller.apiKeyId, `aiModels.${provider}`, customerApiKey);
      aiModels[provider] = { ...sealed, displayText: maskKey(customerApiKey) };
    }
    const next: StoredConfig = { ...config, ...sent, ...(aiModelApiKey && { aiModels }) };
    await saveConfig(tx, caller, next);
    return { ...sent, ...(aiModelApiKey && { aiModelsConfig: showAiModels(next) }) };
  },
});
