import type { Demand } from '../../access/member-roles.ts';
import type { Endpoint } from '../endpoint.ts';

/** The role and scope that an operation demands of a member of the workspace. */
export function demandOf({
  kind,
  auth,
  role,
  scope,
}: Pick<Endpoint, 'kind' | 'auth' | 'role' | 'scope'>): Demand {
  const needed = role ?? (auth === 'workspace' ? 'owner' : kind === 'read' ? 'viewer' : 'editor');
  if (scope === 'none') return { role: needed, scope: undefined };
  return { role: needed, scope: scope ?? (needed === 'viewer' ? 'read' : undefined) };
}
