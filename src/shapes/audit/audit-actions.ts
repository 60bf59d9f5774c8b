/** The types of things to which acts are done. */
export const AUDIT_TARGETS = [
  'service',
  'workspace',
  'apiKey',
  'personalToken',
  'oauthClient',
  'member',
  'invitation',
  'account',
  'user',
  'userGroup',
  'organization',
  'folder',
  'document',
  'annotation',
  'finding',
  'agent',
  'agentGroup',
  'webhookEndpoint',
  'review',
  'execution',
] as const;
export type AuditTargetType = (typeof AUDIT_TARGETS)[number];

interface Described {
  target: AuditTargetType;
  description: string;
}

const on = (target: AuditTargetType, description: string): Described => ({ target, description });

/** All acts that the audit log records. Names never change, since programs of others look for them. */
const catalog = {
  'workspace.created': on('workspace', 'A workspace was created, with a first API key.'),
  'workspace.renamed': on('workspace', 'The name of the workspace was changed.'),
  'workspace.plan_changed': on('workspace', 'The operator changed the plan of the workspace.'),
  'workspace.token_reset': on('workspace', 'The token of the workspace was replaced.'),
  'key.created': on('apiKey', 'An API key was created.'),
  'key.renamed': on('apiKey', 'The name of an API key was changed.'),
  'key.config_changed': on('apiKey', 'Settings of an API key were changed, such as the default access.'),
  'token.reset': on(
    'apiKey',
    'The auth token of an API key was replaced, which also revokes its user tokens.',
  ),
  'personal_token.created': on('personalToken', 'A member made a personal token.'),
  'personal_token.revoked': on('personalToken', 'A personal token or a grant of OAuth was revoked.'),
  'oauth.allowed': on('oauthClient', 'A member allowed a client of OAuth to act for them.'),
  'session.started': on('account', 'A person signed in to the console.'),
  'session.failed': on(
    'account',
    'An attempt to sign in to the console failed, because of wrong credentials or a wrong code.',
  ),
  'console_link.created': on('account', 'The operator made a link that signs in to the console.'),
  'member.invited': on('invitation', 'A person was invited into the workspace.'),
  'member.invitation_revoked': on('invitation', 'An invitation was taken back.'),
  'member.joined': on('account', 'A person accepted an invitation.'),
  'member.role_changed': on('member', 'The role of a member was changed.'),
  'member.removed': on('member', 'A member was removed from the workspace.'),
  'access.granted': on(
    'user',
    'A user was added to an organization, folder or document, or got another role.',
  ),
  'access.revoked': on('user', 'A user was removed from an organization, folder or document.'),
  'user_group.deleted': on('userGroup', 'A user group was deleted.'),
  'user_group.member_added': on('user', 'A user was added to a user group.'),
  'user_group.member_removed': on('user', 'A user was removed from a user group.'),
  'organization.disabled': on('organization', 'An organization was closed for its users.'),
  'organization.enabled': on('organization', 'An organization was opened for its users again.'),
  'organization.deleted': on('organization', 'An organization was deleted with everything in it.'),
  'folder.created': on('folder', 'A folder was added with an access type of its own.'),
  'folder.access_changed': on('folder', 'The access type of a folder was changed.'),
  'folder.moved': on('folder', 'A folder was moved, so that it may inherit other access.'),
  'folder.deleted': on('folder', 'A folder was deleted with its documents.'),
  'document.created': on('document', 'A document was added with an access type of its own.'),
  'document.access_changed': on('document', 'The access type of a document was changed.'),
  'document.disabled': on('document', 'A document was closed for its users.'),
  'document.enabled': on('document', 'A document was opened for its users again.'),
  'document.moved': on('document', 'A document was moved, so that it may inherit other access.'),
  'document.migrated': on('document', 'A document got another id, with everything on it.'),
  'document.deleted': on('document', 'A document was deleted with everything on it.'),
  'agent.created': on('agent', 'An agent was created.'),
  'agent.updated': on(
    'agent',
    'The name or description of an agent was changed, or it was switched on or off.',
  ),
  'agent.version_created': on('agent', 'The behavior of an agent was changed, as a new version.'),
  'agent.version_restored': on('agent', 'An earlier version of an agent was restored.'),
  'agent.deleted': on('agent', 'An agent was deleted.'),
  'agent_group.created': on('agentGroup', 'A group of agents was created.'),
  'agent_group.updated': on('agentGroup', 'A group of agents was renamed, or got other members.'),
  'agent_group.deleted': on('agentGroup', 'A group of agents was deleted.'),
  'webhook.config_changed': on('apiKey', 'Settings of webhooks were changed.'),
  'webhook_endpoint.created': on('webhookEndpoint', 'An endpoint of webhooks was created.'),
  'webhook_endpoint.updated': on('webhookEndpoint', 'An endpoint of webhooks was changed.'),
  'webhook_endpoint.deleted': on('webhookEndpoint', 'An endpoint of webhooks was deleted.'),
  'webhook_endpoint.secret_rotated': on('webhookEndpoint', 'The secret of an endpoint was replaced.'),
  'domain.added': on('apiKey', 'Domains were added to those on whose pages user tokens work.'),
  'domain.removed': on('apiKey', 'Domains were removed from those on whose pages user tokens work.'),
  'email.config_changed': on('apiKey', 'Settings of emails were changed.'),
  'notification.config_changed': on('apiKey', 'Settings of notifications were changed.'),
  'activity.config_changed': on('apiKey', 'Settings of the activity log were changed.'),
  'permission_provider.config_changed': on('apiKey', 'Settings of the permission provider were changed.'),
  'memory.config_changed': on('apiKey', 'Settings of alerts of the memory were changed.'),
  'finding.decided': on(
    'finding',
    'A finding was accepted, rejected or resolved, or its decision was taken back.',
  ),
  'suggestion.decided': on(
    'annotation',
    'A suggestion of an agent or of a person was decided, or its decision was taken back.',
  ),
  'user_data.erasure_started': on('user', 'The erasure of the data of a user was asked for.'),
  'user_data.exported': on('user', 'The data of a user was read as a whole.'),
  'report.exported': on('review', 'A report on a review or an execution was downloaded.'),
  'report.shared': on('review', 'A link was made that opens a report without credentials.'),
  'audit.exported': on('workspace', 'The audit log was exported.'),
  'master_key.rotated': on('service', 'The operator sealed all secrets with a new master key.'),
  'signing_key.rotated': on(
    'service',
    'User tokens are signed with a new key, by the operator or by schedule.',
  ),
  'backup.written': on('service', 'The operator wrote a backup, or had it written by schedule.'),
  'backup.restored': on(
    'service',
    'The operator restored a backup, which the entries before this one come from.',
  ),
  'database.move_started': on(
    'service',
    'The operator began to move the database to another place, to which this entry goes, too.',
  ),
  'data.pruned': on('service', 'The operator removed data that is older than the settings keep it.'),
  'allowed_host.added': on('service', 'The operator allowed internal hosts.'),
  'allowed_host.removed': on('service', 'The operator no longer allowed internal hosts.'),
} as const satisfies Record<string, Described>;

export type AuditAction = keyof typeof catalog;
export const AUDIT_ACTIONS: Readonly<Record<AuditAction, Described>> = catalog;
export const auditActionNames = Object.keys(catalog) as [AuditAction, ...AuditAction[]];

export const AUDIT_ACTORS = [
  'workspace',
  'apiKey',
  'user',
  'member',
  'account',
  'link',
  'operator',
  'unknown',
] as const;
export type AuditActorKind = (typeof AUDIT_ACTORS)[number];
