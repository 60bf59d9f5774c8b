/**
 * The names under which the client offers operations: `redpen.<group>.<method>`. The longest of these prefixes decides
 * the group. Of the rest of the path, the last word is the verb: `access/update` becomes `updateAccess`, `count/get`
 * becomes `count`, and `get` of a list becomes `list`.
 */
const GROUPS: Record<string, string> = {
  workspace: 'workspace',
  'workspace/apikey': 'apiKeys',
  'workspace/apikeys': 'apiKeys',
  'workspace/authtoken': 'authTokens',
  'workspace/authtokens': 'authTokens',
  'workspace/domains': 'domains',
  'workspace/apikeyconfig': 'apiKeyConfig',
  'workspace/emailconfig': 'emailConfig',
  'workspace/notificationconfig': 'notificationConfig',
  'workspace/permissionproviderconfig': 'permissionProviderConfig',
  'workspace/activityconfig': 'activityConfig',
  'workspace/webhookconfig': 'basicWebhookConfig',
  'workspace/advancedwebhookconfig': 'webhookConfig',
  'workspace/advancedwebhook/endpoints': 'webhookEndpoints',
  'workspace/advancedwebhook/deliveries': 'webhookDeliveries',
  'workspace/advancedwebhook/eventtypes': 'webhookEventTypes',
  'auth/permissions': 'permissions',
  'agents/version': 'agentVersions',
  'agents/versions': 'agentVersions',
  'agents/groups': 'agentGroups',
  'agents/execution': 'executions',
  'agents/findings': 'findings',
  'agents/analytics': 'analytics',
  'agents/prompt': 'prompts',
  'organizations/folders': 'folders',
  'organizations/documents': 'documents',
  'organizations/usergroups': 'userGroups',
  'organizations/usergroups/users': 'userGroupMembers',
  'users/data': 'userData',
  livestate: 'liveState',
  crdt: 'editors',
  'crdt/snapshots': 'editorSnapshots',
  commentannotations: 'annotations',
  'commentannotations/comments': 'comments',
  'commentannotations/reactions': 'reactions',
  'commentannotations/unread': 'unread',
  'notifications/config': 'notificationPreferences',
  'reviews/schedules': 'schedules',
  'members/invitations': 'invitations',
  'memory/judgments': 'judgments',
  'memory/alerts': 'memoryAlerts',
  'memory/knowledge': 'knowledge',
};

/** Names that the rule would make unclear. */
const METHODS: Record<string, string> = {
  'users/documents/get': 'listInDocuments',
  'users/data/delete/status': 'deletionStatus',
  'organizations/access/disablestate/update': 'updateDisabledState',
  'organizations/documents/access/disablestate/update': 'updateDisabledState',
  'organizations/documents/migrate/status': 'migrationStatus',
  'memory/profiles/get': 'profile',
  // With an agentId it returns that agent, and the list otherwise.
  'agents/get': 'get',
  'agents/execution/get': 'get',
  'users/data/get': 'get',
  'commentannotations/unread/get': 'get',
  // It returns one finding, unlike the list.
  'agents/findings/get': 'get',
};

export interface Name {
  group: string;
  method: string;
  /** The part of the path that all operations of the group in this folder share. */
  prefix: string;
  rest: string;
}

const camel = (words: string[]): string =>
  words
    .flatMap((word) => word.split(/[-_]/))
    .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');

export function nameOf(path: string, isList: boolean): Name {
  const words = path.replace(/^\/v2\//, '').split('/');
  const prefixes = words.map((_, index) => words.slice(0, index + 1).join('/')).slice(0, -1);
  const prefix = prefixes.findLast((one) => one in GROUPS) ?? words[0]!;
  const rest = words.slice(prefix.split('/').length);
  const verb = rest.at(-1)!;
  const nouns = rest.slice(0, -1);
  const byRule =
    verb === 'get' && nouns.length > 0
      ? camel(nouns)
      : verb === 'get' && isList
        ? 'list'
        : camel([...verb.split(/[-_]/), ...nouns]);
  return {
    group: GROUPS[prefix] ?? camel([prefix]),
    method: METHODS[words.join('/')] ?? byRule,
    prefix,
    rest: rest.join('/'),
  };
}
