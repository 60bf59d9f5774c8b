import type { PermissionProviderConfig } from '../shapes/service-config.ts';
import { REDACTED, type ServiceConfig } from '../store/platform/service-configs.ts';

/** The configuration of the permission provider with its secret redacted. */
export function showPermissionProvider(stored: ServiceConfig | undefined): PermissionProviderConfig {
  const { usePermissionProvider, permissionProviderUrl } = (stored?.config ?? {}) as {
    usePermissionProvider?: boolean;
    permissionProviderUrl?: string;
  };
  return {
    usePermissionProvider: usePermissionProvider ?? false,
    permissionProviderConfig: {
      permissionProviderUrl: permissionProviderUrl ?? '',
      authToken: stored?.secretSealed ? REDACTED : '',
    },
  };
}
