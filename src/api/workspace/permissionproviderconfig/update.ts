import { z } from 'zod';
import { configOf } from '../../../http/audit-targets.ts';
import { write } from '../../../http/endpoint.ts';
import { permissionProviderConfigChange } from '../../../shapes/service-config.ts';
import { changedSecret, changeServiceConfig } from '../../../store/platform/service-configs.ts';
import { refuse, urlIssues } from '../../../webhooks/settings/validate-config.ts';

export default write({
  path: '/v2/workspace/permissionproviderconfig/update',
  auth: 'apiKey',
  role: 'owner',
  summary: 'Change the stored settings of a permission provider, a service of yours.',
  description:
    'Fields that are not sent keep their values. The settings are only stored: Redpen never calls the address, and decides on access without it.',
  data: permissionProviderConfigChange.meta({
    examples: [
      {
        usePermissionProvider: true,
        permissionProviderConfig: {
          permissionProviderUrl: 'https://example.com/permissions',
          authToken: 's3cret',
        },
      },
    ],
  }),
  result: z.undefined(),
  message: 'Permission provider configuration updated successfully.',
  audit: { action: 'permission_provider.config_changed', before: configOf('permissionProvider') },

  async handle({ usePermissionProvider, permissionProviderConfig: sent = {} }, context) {
    const { tx, caller, keyring, settings } = context;
    const { permissionProviderUrl, authToken } = sent;
    const place = ['permissionProviderConfig', 'permissionProviderUrl'];
    refuse(...urlIssues(place, permissionProviderUrl, settings.checkUrl));
    await changeServiceConfig(tx, caller, 'permissionProvider', (stored) => ({
      config: {
        ...stored?.config,
        ...(usePermissionProvider !== undefined && { usePermissionProvider }),
        ...(permissionProviderUrl !== undefined && { permissionProviderUrl }),
      },
      secretSealed: changedSecret(keyring, caller, 'permissionProvider', stored, authToken),
    }));
    return undefined;
  },
});
