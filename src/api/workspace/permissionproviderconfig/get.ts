import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { showPermissionProvider } from '../../../notifications/permission-provider-config.ts';
import { permissionProviderConfig } from '../../../shapes/service-config.ts';
import { getServiceConfig } from '../../../store/platform/service-configs.ts';

export default read({
  path: '/v2/workspace/permissionproviderconfig/get',
  auth: 'apiKey',
  role: 'editor',
  summary: 'Get the stored settings of a permission provider, a service of yours.',
  description:
    'The settings are only stored and returned. Redpen never calls the address, and `usePermissionProvider` changes nothing: tokens, stored grants and access types decide what users may do. Sending `__redacted__` back as the token keeps the stored one.',
  data: z.object({}),
  dataOptional: true,
  result: permissionProviderConfig,
  message: 'Permission provider configuration retrieved successfully.',

  handle: async (_data, { db, caller }) =>
    showPermissionProvider(await getServiceConfig(db, caller, 'permissionProvider')),
});
