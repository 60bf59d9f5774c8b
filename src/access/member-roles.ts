import { permissionDenied } from '../lib/errors.ts';
import { MEMBER_ROLES, type Member, type MemberRole, type TokenScope } from '../lib/scope.ts';

/** The role and scope that an operation demands of a member. Backends have every role. */
export interface Demand {
  role: MemberRole;
  /** The scope that a personal token must have; undefined if no personal token opens the operation. */
  scope: TokenScope | undefined;
}

/** The demand of everything that only shows data without secrets. */
export const READING: Demand = { role: 'viewer', scope: 'read' };

const nameOf = (role: MemberRole): string => `${role === 'viewer' ? 'a' : 'an'} ${role}`;

/** True if a role includes another. */
export const includesRole = (role: MemberRole, needed: MemberRole): boolean =>
  MEMBER_ROLES.indexOf(role) >= MEMBER_ROLES.indexOf(needed);

/** Throws PERMISSION_DENIED if a member may not do what an operation demands. */
export function requireDemand({ role, scopes }: Member, demand: Demand): void {
  if (!includesRole(role, demand.role)) {
    throw permissionDenied(
      `This needs the role ${demand.role} in the workspace, and you are ${nameOf(role)} of it.`,
    );
  }
  if (scopes === undefined) return;
  if (demand.scope === undefined) throw permissionDenied('No personal token opens this operation.');
  if (!scopes.includes(demand.scope)) {
    throw permissionDenied(`This needs a personal token with the scope ${demand.scope}.`);
  }
}

/** The least role that a scope is of use for. */
const ROLE_OF_SCOPE: Record<TokenScope, MemberRole> = {
  read: 'viewer',
  comment: 'editor',
  decide: 'editor',
  review: 'editor',
};

/** Throws PERMISSION_DENIED for scopes that a role does not allow. */
export function requireScopes(role: MemberRole, scopes: readonly TokenScope[]): void {
  const [beyond] = scopes.filter((scope) => !includesRole(role, ROLE_OF_SCOPE[scope]));
  if (beyond !== undefined) {
    throw permissionDenied(
      `The scope ${beyond} needs the role ${ROLE_OF_SCOPE[beyond]}, and you are ${nameOf(role)}.`,
    );
  }
}
