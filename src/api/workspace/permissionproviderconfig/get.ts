import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { showPermissionProvider } from '../../../notifications/permission-provider-config.ts';
import { permissionProviderConfig } from '../../../shapes/service-config.ts';
import { getServiceConfig } from '../../../store/platform/service-configs.ts';

export default read({
  path: '/v2/workspace/permissionproviderconfig/get',
  auth: 'apiKey',
  summary: 'Get the permission provider, your service that is asked about permissions.',
  description:
    'The settings are only stored and returned: the service itself never calls the address. Sending `__redacted__` back as the token keeps the stored one.',
  data: z.object({}),
  dataOptional: true,
  result: permissionProviderConfig,
  message: 'Permission provider configuration retrieved successfully.',

  handle: async (_data, { db, caller }) =>
    showPermissionProvider(await getServiceConfig(db, caller, 'permissionProvider')),
});
