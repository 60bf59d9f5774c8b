import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { apiKeyConfig } from '../../../shapes/api-key-config.ts';
import { getConfig, showAiModels } from '../../../store/platform/stored-key-config.ts';

export default read({
  path: '/v2/workspace/apikeyconfig/get',
  auth: 'apiKey',
  summary: 'Get the settings of an API key.',
  description:
    'Settings that were never changed have their default: documents are public, and all flags are off. Keys of model providers are masked.',
  data: z.object({}),
  dataOptional: true,
  result: apiKeyConfig,
  message: 'API key metadata retrieved successfully.',

  async handle(_data, { db, caller }) {
    const { ownerEmail, type, config } = await getConfig(db, caller);
    return {
      ownerEmail,
      planInfo: { type: type === 'testing' ? 'sdk test' : 'sdk production' },
      defaultDocumentAccessType: config.defaultDocumentAccessType ?? 'public',
      isPrivateCommentsEnabled: config.enablePrivateComments ?? false,
      requireJwtToken: config.requireJwtToken ?? false,
      requireAutoOrgUser: config.requireAutoOrgUser ?? false,
      spellCheckWords: config.spellCheckWords,
      aiModelsConfig: showAiModels(config),
    };
  },
});
