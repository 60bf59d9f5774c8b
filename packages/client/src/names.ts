// Generated from the OpenAPI document: `npm run docs` writes this file.

/** The path of each method of each group. */
export interface Names {
  workspace: {
    /**
     * Create a workspace with its first API key.
     *
     * `REDPEN_SIGNUP` decides who may create workspaces: `open` (the default): any caller; `first`: any caller, while there is no workspace; `closed`: no caller, not even the owner of an existing workspace. `redpen workspace create` is always allowed. A repeated request with the same `idempotency-key` returns the same workspace, with `authToken` as `__redacted__`.
     */
    create: '/v2/workspace/create';
    /**
     * Get the workspace with its owner and API keys.
     *
     * The answer contains `authToken`, which authenticates all workspace-level requests, so treat it as a secret. It lists all API keys; workspace/apikeys/get returns them in pages.
     */
    get: '/v2/workspace/get';
    /**
     * Get the storage usage and quota of the workspace's API keys, oldest key first.
     *
     * Usage is counted about once an hour, and that of a new API key or workspace within a minute. If the service has a quota, writes since then are added at once.
     */
    usage: '/v2/workspace/usage/get';
  };
  apiKeys: {
    /**
     * Create an API key, which is a separate tenant within the workspace.
     *
     * Services that the request does not configure keep their defaults and can be configured later. Repeating the request creates another API key, unless it has the same idempotency key.
     */
    create: '/v2/workspace/apikey/create';
    /**
     * Rename an API key.
     *
     * Only the displayed name changes: the id, the tokens and the data of the API key stay the same.
     */
    update: '/v2/workspace/apikey/update';
    /**
     * List the workspace's API keys, the oldest first.
     *
     * Tokens are not included; workspace/authtokens/get returns those of one API key. Ids that do not belong to the workspace are left out.
     */
    list: '/v2/workspace/apikeys/get';
  };
  authTokens: {
    /**
     * Replace the token of an API key.
     *
     * The previous token stops working immediately.
     */
    reset: '/v2/workspace/authtoken/reset';
    /**
     * List the auth tokens of an API key.
     *
     * The tokens are returned in plain text, oldest first. The list is empty for an API key that was created without a token; workspace/authtoken/reset then creates one.
     */
    list: '/v2/workspace/authtokens/get';
  };
  domains: {
    /**
     * Add domains to those on whose pages user tokens work.
     *
     * A user token is refused in requests whose `Origin` header names another domain. Requests without that header, and those with the token of the API key, are not affected. Without any domain, pages of every origin may use user tokens, so the first domain excludes all others.
     */
    add: '/v2/workspace/domains/add';
    /**
     * List the domains on whose pages user tokens work.
     *
     * If the list is empty, pages of every origin may use user tokens.
     */
    list: '/v2/workspace/domains/get';
    /**
     * Remove domains from those on whose pages user tokens work.
     *
     * Pages of these domains may no longer use user tokens, unless another entry includes them. The last domain is different: without any, nothing is restricted, so its removal lets pages of every origin use user tokens. To move to another domain, add that one first.
     */
    delete: '/v2/workspace/domains/delete';
  };
  apiKeyConfig: {
    /**
     * Get the settings of an API key.
     *
     * Settings that were never changed have their default: documents are public, and all flags are off. Keys of model providers are masked.
     */
    get: '/v2/workspace/apikeyconfig/get';
    /**
     * Change the settings of an API key.
     *
     * Fields that are not sent keep their values.
     */
    update: '/v2/workspace/apikeyconfig/update';
  };
  emailConfig: {
    /**
     * Get the email settings.
     *
     * Emails are off until they are enabled. The key of the mail provider is never returned; sending `__redacted__` back to workspace/emailconfig/update keeps it.
     */
    get: '/v2/workspace/emailconfig/get';
    /**
     * Change the email settings.
     *
     * Fields that are not sent keep their values.
     */
    update: '/v2/workspace/emailconfig/update';
  };
  notificationConfig: {
    /**
     * Get the notification settings.
     *
     * Notifications are on by default, for all events and without delays or batches. Users restrict them further with notifications/config/set.
     */
    get: '/v2/workspace/notificationconfig/get';
    /**
     * Change the notification settings.
     *
     * Fields that are not sent keep their values.
     */
    update: '/v2/workspace/notificationconfig/update';
  };
  permissionProviderConfig: {
    /**
     * Get the stored settings of a permission provider, a service of yours.
     *
     * The settings are only stored and returned. Redpen never calls the address, and `usePermissionProvider` changes nothing: tokens, stored grants and access types decide what users may do. Sending `__redacted__` back as the token keeps the stored one.
     */
    get: '/v2/workspace/permissionproviderconfig/get';
    /**
     * Change the stored settings of a permission provider, a service of yours.
     *
     * Fields that are not sent keep their values. The settings are only stored: Redpen never calls the address, and decides on access without it.
     */
    update: '/v2/workspace/permissionproviderconfig/update';
  };
  activityConfig: {
    /**
     * Get the activity log settings.
     *
     * The log is off until it is enabled; activities/add is refused until then.
     */
    get: '/v2/workspace/activityconfig/get';
    /**
     * Change the activity log settings.
     *
     * Fields that are not sent keep their values. When logging is enabled for the first time, all comment events are logged, as immutable activities.
     */
    update: '/v2/workspace/activityconfig/update';
  };
  basicWebhookConfig: {
    /**
     * Get the settings of basic webhooks.
     *
     * Webhooks are off until they are enabled. The token is never returned; sending `__redacted__` back to workspace/webhookconfig/update keeps it.
     */
    get: '/v2/workspace/webhookconfig/get';
    /**
     * Change the settings of basic webhooks.
     *
     * Fields that are not sent keep their values. Events of comments and huddles are sent by default. Enabling webhooks again also re-enables an address that was disabled because its deliveries failed.
     */
    update: '/v2/workspace/webhookconfig/update';
  };
  webhookConfig: {
    /**
     * Get the settings of advanced webhooks.
     *
     * Unlike the operations on endpoints, this one also works while advanced webhooks are disabled. Flags that were never set are false.
     */
    get: '/v2/workspace/advancedwebhookconfig/get';
    /**
     * Change the settings of advanced webhooks.
     *
     * Fields that are not sent keep their values. While advanced webhooks are disabled, no messages are recorded; pending ones are kept and can be replayed. Bodies are formatted when they are sent, so a change also applies to pending messages.
     */
    update: '/v2/workspace/advancedwebhookconfig/update';
  };
  webhookEndpoints: {
    /**
     * Create an endpoint, an address that events are sent to.
     *
     * advancedwebhook/endpoints/secret/get returns the secret that signs its messages.
     */
    create: '/v2/workspace/advancedwebhook/endpoints/create';
    /**
     * List endpoints, oldest first.
     *
     * Secrets are not included; advancedwebhook/endpoints/secret/get returns them. An unknown `endpointId` or `uid` gives an empty list.
     */
    list: '/v2/workspace/advancedwebhook/endpoints/get';
    /**
     * Change an endpoint.
     *
     * Fields that are not sent keep their values; null clears a field. A re-enabled endpoint receives only new events. advancedwebhook/deliveries/replay sends those that it missed.
     */
    update: '/v2/workspace/advancedwebhook/endpoints/update';
    /**
     * Delete an endpoint with its secrets.
     *
     * Pending deliveries are dropped.
     */
    delete: '/v2/workspace/advancedwebhook/endpoints/delete';
    /**
     * Get the secret that signs the messages of an endpoint.
     *
     * The receiver verifies signatures with it. After a rotation it is the new secret; the previous one, which also signs during the grace period, is not returned.
     */
    secret: '/v2/workspace/advancedwebhook/endpoints/secret/get';
    /**
     * Rotate the secret of an endpoint.
     *
     * The previous secret also signs for a grace period. At most two secrets sign at the same time: another rotation within the grace period ends the oldest at once. Sending the current secret changes nothing.
     */
    rotateSecret: '/v2/workspace/advancedwebhook/endpoints/secret/rotate';
    /**
     * Send a sample event to an endpoint once, and return the result.
     *
     * The message is formatted and signed like a real one, and is sent to a disabled endpoint too. Its `webhook-id` begins with `evt_test_`.
     */
    test: '/v2/workspace/advancedwebhook/endpoints/test';
  };
  webhookDeliveries: {
    /**
     * List the deliveries to an endpoint or of a message, newest first.
     *
     * Shows why messages did not arrive: each delivery has its attempts with the responses. Test messages are included. Deliveries are kept for 90 days unless the operator decides otherwise, those of `crdt.update_data` for 7 days unless they are still waiting or held.
     */
    list: '/v2/workspace/advancedwebhook/deliveries/get';
    /**
     * Replay one message, or all messages that an endpoint missed since a given time.
     *
     * Replays keep their `webhook-id`. A delivered message is repeated only if it is named. A message that is waiting for its next attempt is sent now, together with other messages of the same order key. Messages that are already being delivered are left unchanged.
     */
    replay: '/v2/workspace/advancedwebhook/deliveries/replay';
  };
  webhookEventTypes: {
    /**
     * List the event types of webhooks.
     *
     * Each has the JSON Schema and a sample of its message, before encoding and encryption.
     */
    list: '/v2/workspace/advancedwebhook/eventtypes/get';
  };
  members: {
    /**
     * List the members of the workspace, in the order in which they joined.
     *
     * Members are people who use the console. They are no users of an API key.
     */
    list: '/v2/members/list';
    /**
     * Invite a person into the workspace.
     *
     * Returns a link for the person, which is valid for 7 days and once; the service also mails one if it has a mail server, at most 5 an hour to an address and 100 for a workspace. The person joins with the account to which they are signed in. Otherwise a new account is made; the returned link is no proof of its address. A person who has proved the address before, by a mailed link, signs in first. A new invitation to an address replaces the earlier one.
     */
    invite: '/v2/members/invite';
    /**
     * Change the role of a member.
     *
     * Takes effect at once, for the sessions and the personal tokens of the member. An owner who gets another role may have read secrets, which still work: replace them as after members/remove.
     */
    update: '/v2/members/update';
    /**
     * Remove a member from the workspace.
     *
     * Takes effect at once, and deletes the personal tokens of the member for this workspace and open invitations to their address. An account that is in no other workspace is deleted with its sessions. What the member has written stays. Secrets that an owner could read still work: replace the token of the workspace (workspace/token/reset), the tokens of its API keys (workspace/authtoken/reset) and the secrets of its webhook endpoints (workspace/advancedwebhook/endpoints/secret/rotate).
     */
    remove: '/v2/members/remove';
  };
  invitations: {
    /**
     * List the open invitations of the workspace, the newest first.
     *
     * Links are not included: members/invite returns them once.
     */
    list: '/v2/members/invitations/list';
    /**
     * Take an invitation back.
     *
     * Its links work no more. A person who has joined stays a member.
     */
    revoke: '/v2/members/invitations/revoke';
  };
  auth: {
    /**
     * Create a token with which the browser of an end user calls the API.
     *
     * The token is a JWT that is valid for 48 hours, signed with Ed25519; `GET /.well-known/jwks.json` returns the public keys. Send it as `authorization: Bearer <token>`. Resetting the API key's token revokes it. In the console, editors make tokens of themselves: their `accountId` is then the `userId`, and the token is valid for 8 hours. A token that is made in the console ends with the role of the member who made it.
     */
    generateToken: '/v2/auth/generate_token';
    /**
     * Sign the response of a permission provider.
     *
     * The signature is the HMAC-SHA256 of the permissions as sent, in hex. It depends on the API key: the same permissions always have the same signature with one key, and a different signature with another key.
     */
    generateSignature: '/v2/auth/generate_signature';
  };
  permissions: {
    /**
     * Grant a user access to organizations, folders or documents.
     *
     * A grant may be made before its resource exists. Granting again replaces the role and the expiry.
     */
    add: '/v2/auth/permissions/add';
    /**
     * Get the permissions of users on an organization and on its folders and documents.
     *
     * Permissions come from stored grants. With a user token, only that user's permissions are returned, including grants in the token, and resources that do not exist are reported as denied.
     */
    get: '/v2/auth/permissions/get';
    /**
     * Revoke grants of a user.
     *
     * Grants in the user's tokens remain until they expire.
     */
    remove: '/v2/auth/permissions/remove';
    /**
     * Explain what a user may do on a document, a folder or an organization, and why.
     *
     * Annotations have the access of their document. Without a token, only stored grants count. A resource that does not exist is explained as such, with the role `none`.
     */
    explain: '/v2/auth/permissions/explain';
  };
  agents: {
    /**
     * Create an agent with its first version.
     *
     * Unknown behavioral fields are stored and returned unchanged, except for secrets, which are recognized by names such as `token` or `apiKey` and returned as `__redacted__`.
     */
    create: '/v2/agents/create';
    /**
     * Change an agent's name or description, or switch it on or off.
     *
     * Does not create a version. For built-in agents only `enabled` can be changed, and only for this API key.
     */
    update: '/v2/agents/update';
    /**
     * Delete a custom agent with all its versions.
     *
     * The agent is removed from every group. Groups remain, even if they become empty.
     */
    delete: '/v2/agents/delete';
    /**
     * Get an agent, or list agents.
     *
     * With `agentId`: the agent with its behavior; secrets are returned as `__redacted__`. Without `agentId`: built-in agents, then custom agents, newest first; with `groupId`, the members of the group in their order.
     */
    get: '/v2/agents/get';
    /**
     * Draft agents from a checklist in a file.
     *
     * Reads PDF, XLSX, CSV, plain text or Markdown of at most 5 MiB, and returns at most 50 agents that can be sent to agents/create. None is stored. Without a configured language model, each row or list item becomes an agent.
     */
    extract: '/v2/agents/extract';
    /**
     * List the issue types that agents find by rule, ordered by name.
     *
     * The catalogue has the rules of this version of the service, those of axe-core and Lighthouse in their own words. Besides, a model chooses issue types of its own, which no catalogue can list.
     */
    rules: '/v2/agents/rules';
    /**
     * List the built-in agents with what each of them needs and finds.
     *
     * The order is that of agents/get. Agents that serve other agents are included.
     */
    builtin: '/v2/agents/builtin';
    /**
     * Get the JSON Schema of the configuration of an agent, for forms.
     *
     * The schemas are those by which agents/create validates. Each property has `x-ui`: `title`, `order`, `widget`, `secret` for values that are never returned, and `showIf` with the field and the values for which the property applies. Rules between fields are only checked when an agent is created or changed.
     */
    schema: '/v2/agents/schema';
    /**
     * Suggest gather strategies and execution settings for an agent's instructions.
     *
     * A language model decides if one is configured; otherwise keywords in the instructions do. Settings that cannot be inferred have defaults that suit most agents.
     */
    resolveConfig: '/v2/agents/config/resolve';
  };
  agentVersions: {
    /**
     * Change the behavior of a custom agent, as a new version.
     *
     * Objects are merged deeply; lists and single values are replaced, and so is `auth`, which null removes. A secret that is omitted or sent as `__redacted__` keeps its value; entries of a list are matched by id, or by position if they have none. No secret is kept beside an address that changes to another origin: send it again.
     */
    update: '/v2/agents/version/update';
    /**
     * Replace the behavior of a custom agent, as a new version.
     *
     * Fields that are left out are removed, except for `metadata`, which belongs to no version and keeps its value. What agents/get returns can be changed and sent, without the fields that are not part of a version. A secret that is sent as `__redacted__` keeps its value; entries of a list are matched by id, or by position if they have none, and keep an `auth` that is left out. No secret is kept beside an address that changes to another origin: send it again.
     */
    create: '/v2/agents/versions/create';
    /**
     * List the versions of a custom agent, newest first.
     *
     * All versions are returned at once, with their behavior; secrets are returned as `__redacted__`. agents/versions/restore makes an earlier one current again.
     */
    list: '/v2/agents/versions/list';
    /**
     * Get a version of a custom agent with its behavior.
     *
     * Secrets are returned as `__redacted__`.
     */
    get: '/v2/agents/versions/get';
    /**
     * Restore a version of a custom agent, by default the one before the current.
     *
     * Creates a new version with the content of the restored one. Version numbers are never reused.
     */
    restore: '/v2/agents/versions/restore';
  };
  agentGroups: {
    /**
     * Create a group of agents.
     *
     * An agent may be in several groups, and duplicate ids count once. Names need not be unique: repeating the request creates another group.
     */
    create: '/v2/agents/groups/create';
    /**
     * Get a group of agents.
     *
     * Returns the ids of the members in their order. agents/get with `groupId` returns the agents themselves.
     */
    get: '/v2/agents/groups/get';
    /**
     * List agent groups, newest first.
     *
     * All groups are returned at once, with the number of their members instead of the ids; agents/groups/get returns the ids.
     */
    list: '/v2/agents/groups/list';
    /**
     * Change the name or description of an agent group.
     *
     * Fields that are not sent keep their values. Members are changed with agents/groups/add-agents and agents/groups/remove-agents; metadata cannot be changed.
     */
    update: '/v2/agents/groups/update';
    /**
     * Delete an agent group.
     *
     * Its agents remain.
     */
    delete: '/v2/agents/groups/delete';
    /**
     * Append agents to a group.
     *
     * Existing members keep their positions.
     */
    addAgents: '/v2/agents/groups/add-agents';
    /**
     * Remove agents from a group.
     *
     * Agents that are not members are ignored.
     */
    removeAgents: '/v2/agents/groups/remove-agents';
  };
  executions: {
    /**
     * Run an agent on a page or on the pages of a site.
     *
     * Returns immediately. Poll agents/execution/get until the status is no longer `running`.
     */
    run: '/v2/agents/execution/run';
    /**
     * Get an execution, optionally with the findings of each page.
     *
     * A user gets executions on documents that they may read, without the output of the agent and what its findings are based on, and with links to the stored files. The results of a large run come in parts: send `nextPageToken` as `pageToken` until it is absent. A part has up to `pageSize` pages, and fewer if they have more than 500 findings together.
     */
    get: '/v2/agents/execution/get';
    /**
     * List executions, newest first: of an agent, on a document, or of the whole API key.
     *
     * Give `agentId`, or `organizationId` and `documentId`, or all three. With `scope` or a filter, all of them may be left out. A user lists the executions on a document, as far as they may see their suggestions.
     */
    list: '/v2/agents/execution/list';
    /**
     * Count executions, for each of the given agents or in total.
     *
     * An agent without executions, or an unknown one, has the count 0. Executions of deleted agents count too.
     */
    count: '/v2/agents/execution/count';
    /**
     * List what the findings of an ended execution come from.
     *
     * The gravest causes come first, then those with the most places; causes without an open place come last. A running execution has none yet.
     */
    causes: '/v2/agents/execution/causes';
    /**
     * List the findings of an execution, also while it runs.
     *
     * In the order of the pages. Conditions are combined. A user does not get what findings were compared with or based on.
     */
    findings: '/v2/agents/execution/findings';
    /**
     * Cancel a running execution.
     *
     * The execution ends with the status `error` and the error code `CANCELLED`. Findings and suggestions of the pages that are already done remain.
     */
    cancel: '/v2/agents/execution/cancel';
    /**
     * Read the log of a run while it is running.
     *
     * Send `next` of the previous response as `after` until `done` is true. With `waitMs` the request waits until there are new events. A user gets the lines about phases, pages and the result, without `data`.
     */
    events: '/v2/agents/execution/events';
    /**
     * Make a link to the report on an execution, for people without credentials.
     *
     * The link is signed and has an end, and shows the report in a browser. Anyone with the link may open it until then; it cannot be revoked.
     */
    share: '/v2/agents/execution/share';
  };
  findings: {
    /**
     * List findings over all runs, by default those that are open and still there.
     *
     * A finding that several runs saw is one entry, as it was last seen. Those last seen come first. Conditions are combined; a list has alternatives. agents/execution/findings lists the findings of one run as the run saw them.
     */
    list: '/v2/agents/findings/list';
    /**
     * Count findings over all runs by decision and severity.
     *
     * Takes the conditions of agents/findings/list, with the same defaults: by default it counts the findings that are open and still there. Each finding counts once in `total`, in `byDecision` and in `bySeverity`.
     */
    count: '/v2/agents/findings/count';
    /**
     * Get a finding with its decision, its picture, and the runs that saw it.
     *
     * The screenshot is that of the last run that saw the finding, and absent if that run kept none. The history has the last 50 runs, newest first. agents/findings/decide records a decision on the finding.
     */
    get: '/v2/agents/findings/get';
    /**
     * Accept, reject or resolve findings, or take a decision back.
     *
     * The decision holds for later runs. If a suggestion on a document stands for the finding, it is decided too, and with it all findings for which it stands; accepting and rejecting a suggestion is final. A finding without a suggestion may be decided anew. Users of tokens decide on findings on documents that they may edit. An AI assistant may decide on 20 findings in a minute; its decisions name it in `decidedBy`, and a person may decide anew on all of them.
     */
    decide: '/v2/agents/findings/decide';
  };
  analytics: {
    /**
     * Get the language model usage and execution counts of agents.
     *
     * Months are in UTC. An agent that never ran or does not exist has no usage.
     */
    get: '/v2/agents/analytics/get';
    /**
     * Get runs, findings, durations and tokens of agents by day.
     *
     * Every day of the range is in the result, oldest first; days without runs have zeros. A run counts for the day on which it started.
     */
    series: '/v2/agents/analytics/series';
  };
  prompts: {
    /**
     * Find the most important gap in a prompt.
     *
     * Returns one question, or null as `requirement` if nothing is missing.
     */
    enhance: '/v2/agents/prompt/enhance';
    /**
     * Structure a prompt, and generate examples that test it.
     *
     * Asks a language model, which costs tokens, and stores nothing. Show the examples in `demos` to the author, and send the feedback to agents/prompt/refine.
     */
    validate: '/v2/agents/prompt/validate';
    /**
     * Refine a prompt with its author's feedback on examples.
     *
     * Asks a language model, which costs tokens, and stores nothing. The model is instructed to keep what no feedback concerns, and placeholders such as `{{userContext.name}}`. The result can be refined again.
     */
    refine: '/v2/agents/prompt/refine';
  };
  reviews: {
    /**
     * Review pages with several agents, with one verdict.
     *
     * Each agent runs on each URL as an execution of its own, at most 100 in all. They share one crawl, and one load of each page. Returns immediately: reviews/get waits for what changes.
     */
    run: '/v2/reviews/run';
    /**
     * Get a review with the state of its executions.
     *
     * To follow a review, send `revision` of the previous answer as `seen` with `waitMs`: the answer comes with the next change, or when the time is over. `GET /v2/reviews/{reviewId}/report` returns the findings, merged over the agents.
     */
    get: '/v2/reviews/get';
    /**
     * List the reviews of the API key, newest first.
     *
     * Each has the state of its executions, as reviews/get returns it.
     */
    list: '/v2/reviews/list';
    /**
     * Cancel a running review.
     *
     * Its executions that are still running end with the status `error` and the error code `CANCELLED`. Findings and suggestions of the pages that are already done remain, and the report shows them.
     */
    cancel: '/v2/reviews/cancel';
    /**
     * Make a link to the report on a review, for people without credentials.
     *
     * The link is signed and has an end, and shows the report in a browser. Anyone with the link may open it until then; it cannot be revoked.
     */
    share: '/v2/reviews/share';
  };
  schedules: {
    /**
     * Start a review regularly, by a cron expression.
     *
     * A start that was missed while the service was down is made up for, once for all that were missed. A start that is not possible, such as one on a deleted document, is noted in `lastError`, and the next one is tried again.
     */
    create: '/v2/reviews/schedules/create';
    /**
     * Get a schedule of reviews.
     *
     * `nextAt` says when it starts the next review, and `lastError` why it could not start the last.
     */
    get: '/v2/reviews/schedules/get';
    /**
     * List the schedules of reviews, oldest first.
     *
     * Returns all of them: an API key has at most 100.
     */
    list: '/v2/reviews/schedules/list';
    /**
     * Change a schedule of reviews, or enable or disable it.
     *
     * Fields that are left out keep their values; `review` is replaced as a whole. What was missed while the schedule was disabled is not made up for.
     */
    update: '/v2/reviews/schedules/update';
    /**
     * Start the review of a schedule now, in addition to its own starts.
     *
     * The next start stays as it is. A disabled schedule can be started, too.
     */
    start: '/v2/reviews/schedules/start';
    /**
     * Delete a schedule of reviews.
     *
     * Reviews that it has started go on.
     */
    delete: '/v2/reviews/schedules/delete';
  };
  organizations: {
    /**
     * Add organizations.
     *
     * Existing ones are updated with the fields sent.
     */
    add: '/v2/organizations/add';
    /**
     * List organizations, oldest first.
     *
     * Ids that do not exist are left out. Metadata is returned beside the other fields of an organization.
     */
    list: '/v2/organizations/get';
    /**
     * Update the names and metadata of organizations.
     *
     * Names and metadata fields that are not sent keep their values. Organizations that do not exist are reported and not created, and all others are updated. Raises `organization.update` for each updated organization.
     */
    update: '/v2/organizations/update';
    /**
     * Delete organizations with everything in them: folders, documents, user groups and grants.
     *
     * The deletion is complete when the answer arrives, and cannot be undone. It includes the knowledge and the judgments of the organizations. Profiles of users remain. Raises `document.delete` for each document and `organization.delete` for each organization.
     */
    delete: '/v2/organizations/delete';
    /**
     * Disable organizations for their users, or enable them again.
     *
     * A disabled organization keeps its data, and API keys can still use it.
     */
    updateDisabledState: '/v2/organizations/access/disablestate/update';
  };
  folders: {
    /**
     * Add folders to an organization.
     *
     * Existing ones are not changed.
     */
    add: '/v2/organizations/folders/add';
    /**
     * List the folders of an organization, or one folder with its subfolders, oldest first.
     *
     * `maxDepth` counts the levels that are returned below the organization or the folder. If the deeper levels of a page have more than 10,000 folders, the request is refused.
     */
    list: '/v2/organizations/folders/get';
    /**
     * Rename folders, or move them with their content.
     *
     * Fields that are not sent keep their values.
     */
    update: '/v2/organizations/folders/update';
    /**
     * Delete a folder with all its subfolders and documents.
     *
     * The deletion is complete when the answer arrives, and cannot be undone. To keep documents, move them first with organizations/documents/move. Raises `document.delete` for each document and `folder.delete` for each folder.
     */
    delete: '/v2/organizations/folders/delete';
    /**
     * Set the access type of folders, for documents without an access type of their own.
     *
     * Also changes the subfolders that inherit their access type. Folders that do not exist are reported, and all others are changed. Raises `folder.update` for each changed folder of the request, but not for its subfolders.
     */
    updateAccess: '/v2/organizations/folders/access/update';
  };
  documents: {
    /**
     * Add documents to an organization.
     *
     * Existing ones are not changed.
     */
    add: '/v2/organizations/documents/add';
    /**
     * List the documents of an organization, oldest first.
     *
     * A user gets the documents that they may read, without metadata; others are answered like documents that do not exist.
     */
    list: '/v2/organizations/documents/get';
    /**
     * Count the documents of an organization or folder.
     *
     * A document that lacks the field of a filter does not match it, not even with `!=` or `not-in`. An organization or folder that does not exist has 0 documents.
     */
    count: '/v2/organizations/documents/count';
    /**
     * Update the names and metadata of documents.
     *
     * Fields that are not sent keep their values.
     */
    update: '/v2/organizations/documents/update';
    /**
     * Move documents into a folder: all of them, or none if one does not exist.
     *
     * Documents without an access type of their own take over that of the target folder, and the grants on their new folders apply from then on, in place of those on the former ones. Raises `document.update` for each document.
     */
    move: '/v2/organizations/documents/move';
    /**
     * Delete documents with everything on them: annotations, notifications and grants.
     *
     * The deletion is complete when the answer arrives, and cannot be undone. It includes live content with its snapshots, activities, judgments and knowledge of the documents. Repeating it is harmless. Raises `document.delete` for each document that existed.
     */
    delete: '/v2/organizations/documents/delete';
    /**
     * Set the access type of documents.
     *
     * A `restricted` document opens only with a grant on it or on a folder around it, except to admins of the organization; a `public` one may be edited by every user of the API key for whom no grant on it, its folders or its organization says otherwise. Documents that do not exist are reported, and all others are changed. Raises `document.update` for each changed document.
     */
    updateAccess: '/v2/organizations/documents/access/update';
    /**
     * Disable documents for their users, or enable them again.
     *
     * A disabled document keeps its data, and API keys can still use it.
     */
    updateDisabledState: '/v2/organizations/documents/access/disablestate/update';
    /**
     * Change the id of a document, keeping everything on it.
     *
     * Runs in the background; organizations/documents/migrate/status returns the progress. If a document with the new id exists, the two are merged: it keeps its name, metadata and access type, annotations that are added get the next free numbers, the newer of two settings, presence entries or live states wins, and grants on the new id win over those on the old id. Writes to either document wait meanwhile. A failed migration changes nothing. Users whose tokens name the old id need new tokens.
     */
    migrate: '/v2/organizations/documents/migrate';
    /**
     * Get the progress of a document migration.
     *
     * Ask until the status is `completed` or `failed`, or receive the event `document.migrate`, which is raised on completion only.
     */
    migrationStatus: '/v2/organizations/documents/migrate/status';
  };
  userGroups: {
    /**
     * Add user groups to an organization.
     *
     * Existing ones are renamed.
     */
    add: '/v2/organizations/usergroups/add';
    /**
     * List the user groups of an organization, ordered by id.
     *
     * Returns the number of members, not the members themselves, which organizations/usergroups/users/get lists. Ids that do not exist are left out.
     */
    list: '/v2/organizations/usergroups/get';
    /**
     * Delete user groups.
     *
     * Their members remain users.
     */
    delete: '/v2/organizations/usergroups/delete';
  };
  userGroupMembers: {
    /**
     * Add users to a user group.
     *
     * They need not exist yet.
     */
    add: '/v2/organizations/usergroups/users/add';
    /**
     * List the members of a user group, ordered by id.
     *
     * Includes members without a profile; these have no name. A group that does not exist has no members.
     */
    list: '/v2/organizations/usergroups/users/get';
    /**
     * Remove users from a user group.
     *
     * Their access to the organization and its documents remains. Users who are not members are reported, and all others are removed. Raises `user_group.user_delete` for each removed member.
     */
    delete: '/v2/organizations/usergroups/users/delete';
  };
  users: {
    /**
     * Add users to an organization, or to one document or folder.
     *
     * Existing ones are updated.
     */
    add: '/v2/users/add';
    /**
     * List the users of an organization, of one document or folder, or of all documents.
     *
     * By default, lists users with a stored grant on exactly this place that has not expired, in the order in which they were added: those of an organization do not include those of its documents. With a user token, the user needs access to the place, and `allDocuments` is refused.
     */
    list: '/v2/users/get';
    /**
     * Count the users of an organization, or of one document or folder.
     *
     * Counts users with a stored grant on exactly this place that has not expired: those of an organization do not include those of its documents. Grants in tokens do not count.
     */
    count: '/v2/users/count';
    /**
     * List the users of all documents of an organization, ordered by id.
     *
     * Each user is listed once, however many documents they have. Only stored grants on documents count, not those on the organization or its folders.
     */
    listInDocuments: '/v2/users/documents/get';
    /**
     * List the organizations in which a user is granted something, ordered by id.
     *
     * Stored grants count that have not expired, on an organization, its folders and its documents. Grants in tokens do not count, nor do public documents, which every user of the API key may open.
     */
    organizations: '/v2/users/organizations/get';
    /**
     * Update users of an organization, document or folder.
     *
     * Fields that are not sent keep their values. A user has a single record, which is the same in all places. Only the role belongs to the given place.
     */
    update: '/v2/users/update';
    /**
     * Remove users from an organization with all their grants in it, or from one document or folder.
     *
     * Users who do not belong to the place are reported, and all others are removed. From an organization, they also leave its user groups. What they wrote and their profiles remain: users/data/delete erases these. Raises `user.delete` for each removed user.
     */
    delete: '/v2/users/delete';
  };
  userData: {
    /**
     * Get all data of a user in an organization: what the user wrote, and the user's notifications.
     *
     * Returns at most 100 entries of each kind. `nextPageToken` is null on the last page.
     */
    get: '/v2/users/data/get';
    /**
     * Erase the data of users: what they wrote, their profiles, and their names in content of others.
     *
     * Runs in the background. Comments of other users remain. A thread that an erased user began is anonymized if others replied, and deleted otherwise. A profile is deleted once its user has no access anywhere. Free text in which others mention the users is not searched.
     */
    delete: '/v2/users/data/delete';
    /**
     * Get the progress of a user data deletion.
     *
     * users/data/delete returns the `jobId`. When the deletion is completed, the event `user.data_delete` is raised.
     */
    deletionStatus: '/v2/users/data/delete/status';
  };
  activities: {
    /**
     * Add activities to a document.
     *
     * An activity with an existing id replaces the earlier one and keeps its time; immutable ones do not change. An activity without an id is always a new one, so send ids if a request may be repeated. Raises `activity.add` for each activity that was written.
     */
    add: '/v2/activities/add';
    /**
     * List the activities of an organization, newest first.
     *
     * Conditions are combined; a list has alternatives. Names and email addresses of known users are the current ones.
     */
    list: '/v2/activities/get';
    /**
     * Change activities that are not immutable.
     *
     * Fields that are not sent keep their values. Immutable activities, and those that do not exist, are reported, and all others are changed. Raises `activity.update` for each changed activity.
     */
    update: '/v2/activities/update';
    /**
     * Delete activities that match all filters, including immutable ones.
     *
     * With `documentId` alone, the whole log of the document is deleted. The deletion cannot be undone. Raises `activity.delete` for each deleted activity.
     */
    delete: '/v2/activities/delete';
  };
  presence: {
    /**
     * Add users to the presence list of a document.
     *
     * Users only add themselves, and may be viewers; name and email are those of their token.
     */
    add: '/v2/presence/add';
    /**
     * List the users who are present on a document, ordered by id.
     *
     * Entries without an update for 24 hours are omitted.
     */
    list: '/v2/presence/get';
    /**
     * Update the presence of users on a document.
     *
     * Users without an entry are added. With a user token, as for presence/add.
     */
    update: '/v2/presence/update';
    /**
     * Remove users from the presence list of a document.
     *
     * Users only remove themselves.
     */
    delete: '/v2/presence/delete';
  };
  liveState: {
    /**
     * Set a shared live state of a document, and broadcast it.
     *
     * A user must be an editor of the document, since all of its readers get the state.
     */
    broadcast: '/v2/livestate/broadcast';
    /**
     * List the live states of a document, ordered by id.
     *
     * Returns the states as they were last set with livestate/broadcast, for clients that join later; the event stream sends changes.
     */
    list: '/v2/livestate/get';
  };
  editors: {
    /**
     * Set the initial content of a live editor.
     *
     * A connected client that has written nothing in the editor receives the content. Once anything has been written in it, the editor exists.
     */
    add: '/v2/crdt/add';
    /**
     * Replace the content of a live editor.
     *
     * Only the differences are written, so connected users keep their cursors, and concurrent edits survive.
     */
    update: '/v2/crdt/update';
    /**
     * Get the stored content of live editors, ordered by id.
     *
     * The content includes every change that was acknowledged to a client. One response contains editors of about 8 MiB in total; `nextPageToken` continues the list.
     */
    list: '/v2/crdt/get';
    /**
     * Delete live editors with their content and snapshots.
     *
     * Connected clients are disconnected and cannot restore deleted content by reconnecting. An editor that does not exist counts as deleted.
     */
    delete: '/v2/crdt/delete';
  };
  editorSnapshots: {
    /**
     * Create a named snapshot of the content of a live editor.
     *
     * The snapshot contains all changes stored so far; the editor is not changed. Without a name, the snapshot is named by its time. crdt/snapshots/restore returns to it.
     */
    create: '/v2/crdt/snapshots/create';
    /**
     * List the snapshots of a live editor, newest first.
     *
     * The content is not included; crdt/snapshots/get returns that of one snapshot. An editor that does not exist has no snapshots.
     */
    list: '/v2/crdt/snapshots/list';
    /**
     * Get the content of a snapshot of a live editor.
     *
     * Reads the content without changing the editor, for example to compare or preview it. crdt/snapshots/restore writes it into the editor.
     */
    get: '/v2/crdt/snapshots/get';
    /**
     * Restore a live editor to a snapshot.
     *
     * The content is written like any other change: connected clients see it, and all snapshots remain. Create a snapshot first to be able to undo it.
     */
    restore: '/v2/crdt/snapshots/restore';
    /**
     * Delete a snapshot of a live editor.
     *
     * The editor is not changed.
     */
    delete: '/v2/crdt/snapshots/delete';
  };
  annotations: {
    /**
     * Add comment annotations with their first comments to a document.
     *
     * With a user token, that user is the author, and organizations and documents are not created.
     */
    add: '/v2/commentannotations/add';
    /**
     * List comment annotations with their comments.
     *
     * Conditions are combined; a list has alternatives. Users of tokens get only annotations that they may see, with `isUnread`, on documents that they may open. Reading does not mark as read.
     */
    list: '/v2/commentannotations/get';
    /**
     * Change comment annotations of a document, including their authors.
     *
     * All filters that are sent must match. Without a filter, an API key changes all annotations of the document; a user must name annotations. Any editor may change status, priority, assignee and suggestion; other changes are reserved for the author and admins. A viewer may change nothing, and marks a document as read with commentannotations/unread/clear. An AI assistant names the annotations on which it decides by a status, and may decide on 20 in a minute; a person may decide anew on suggestions that it has decided.
     */
    update: '/v2/commentannotations/update';
    /**
     * Delete comment annotations of a document with their comments.
     *
     * All filters that are sent must match. Without a filter, all annotations of the document are deleted. A user can delete only their own annotations.
     */
    delete: '/v2/commentannotations/delete';
    /**
     * Count the annotations of documents that a user may see, and how many are unread.
     *
     * An annotation is unread if the user has not viewed it since its last update. Documents that do not exist have zeros, as do, with a user token, those that the user may not open.
     */
    count: '/v2/commentannotations/count/get';
  };
  unread: {
    /**
     * Count what a user has not read on all documents of an organization.
     *
     * Counts only annotations that the user may see, on documents that they may open. The numbers of the whole organization are those of every page.
     */
    get: '/v2/commentannotations/unread/get';
    /**
     * Mark all annotations of a document as read by a user.
     *
     * Viewers may do this too, for themselves. Annotations that the user may not see are left out.
     */
    clear: '/v2/commentannotations/unread/clear';
  };
  comments: {
    /**
     * Add comments to an annotation.
     *
     * All comments are added or none, except with `verifyUserPermissions`, which leaves out those of authors who may not write: the answer is then `PERMISSION_DENIED`, and the others are written. Authors and mentioned users follow the annotation from then on, unless they have unsubscribed. Live clients always get `comment.add`; with an API key, users are notified and webhooks are sent only for comments with `triggerNotification`.
     */
    add: '/v2/commentannotations/comments/add';
    /**
     * Get the comments of an annotation, oldest first.
     *
     * All comments are returned at once. An annotation that does not exist, or that the user may not see, has none.
     */
    list: '/v2/commentannotations/comments/get';
    /**
     * Change comments of an annotation.
     *
     * Users may change their own comments, and admins also those of others. The author of a comment does not change.
     */
    update: '/v2/commentannotations/comments/update';
    /**
     * Delete comments of an annotation.
     *
     * The annotation remains, even without comments. Users may delete their own comments, and admins also those of others.
     */
    delete: '/v2/commentannotations/comments/delete';
  };
  reactions: {
    /**
     * Add a reaction of a user to an annotation or to one of its comments.
     *
     * A user has each reaction at most once, so a repeated request changes nothing. An annotation or comment has at most 50 different reactions and 20 of each user, and an annotation with its comments at most 1000. Reactions do not change `lastUpdated` and do not make an annotation unread.
     */
    add: '/v2/commentannotations/reactions/add';
    /**
     * List the reactions to an annotation and its comments, newest first.
     *
     * Returns one entry for each user and reaction, with the current names of the users. Comments and annotations have summaries of the same reactions in `reactions`.
     */
    list: '/v2/commentannotations/reactions/get';
    /**
     * Remove a reaction of a user from an annotation or from one of its comments.
     *
     * Removing a reaction that the user does not have changes nothing. Users can remove their own reactions only.
     */
    delete: '/v2/commentannotations/reactions/delete';
  };
  attachments: {
    /**
     * Announce a file to attach to a comment, and get a link to upload it.
     *
     * PUT the bytes to `uploadUrl` with the same content-type before `expiresAt`, and then name the `attachmentId` in the `attachments` of a comment on the same document. A file that is in no comment a day later is deleted. Users need the right to comment. The link contains the address at which the caller reaches the service.
     */
    create: '/v2/attachments/create';
    /**
     * Get an attachment, with a link to its file.
     *
     * Users get attachments of comments that they may see, and those that they have announced themselves. The link is valid for at least 45 minutes.
     */
    get: '/v2/attachments/get';
    /**
     * List the attachments of a document, newest first.
     *
     * Users get attachments of comments that they may see, and those that they have announced themselves. Files that are stored elsewhere are not listed.
     */
    list: '/v2/attachments/list';
    /**
     * Delete an attachment and its file.
     *
     * An attachment of a comment also disappears from the comment, which changes it: `comment.update` is sent. Users may delete attachments of their own comments and those that they have announced, and admins also those of others.
     */
    delete: '/v2/attachments/delete';
  };
  notifications: {
    /**
     * Add a notification for users of an organization.
     *
     * An existing notification with this id is overwritten.
     */
    add: '/v2/notifications/add';
    /**
     * List notifications, of a document or of a user.
     *
     * For a user, returns the inbox, without notifications that the user turned off or may not see. If an API key asks, a user may see every notification that names them as a recipient, other than those of comments. For a document without `userId`, an API key gets the notifications of all users. Reading does not mark as read; notifications/update does.
     */
    list: '/v2/notifications/get';
    /**
     * Change notifications, or mark them as read.
     *
     * With a user token, only the token's user can be marked: `readByUserIds` contains the user for read, or is empty for unread.
     */
    update: '/v2/notifications/update';
    /**
     * Delete notifications for all users.
     *
     * All filters that are sent must match.
     */
    delete: '/v2/notifications/delete';
  };
  notificationPreferences: {
    /**
     * Get the notification preferences of a user.
     *
     * Channels that were never set have their default: `ALL` for the inbox, and `MINE` for emails. For a document, channels without a preference of its own have that of the organization.
     */
    get: '/v2/notifications/config/get';
    /**
     * Set the notification preferences of users.
     *
     * Channels that are not sent are not changed.
     */
    set: '/v2/notifications/config/set';
  };
  rewriter: {
    /**
     * Process a text with a language model.
     *
     * The model name determines the provider: `gpt-`, `o1-`, `o3-` and `o4-` for OpenAI, `claude-` for Anthropic, `gemini-` for Google. If the model does not answer, the HTTP status is 200 and `error` contains the reason.
     */
    askAi: '/v2/rewriter/ask-ai';
  };
  judgments: {
    /**
     * Import judgments that were made in another system.
     *
     * Invalid judgments are reported in `failed` by index; all others are stored. A judgment with an existing `id` replaces the earlier one. If an id occurs twice in a request, the later judgment is stored, and the earlier one is reported in `failed`. Organizations and documents need not exist. Imported judgments can be listed immediately; search finds them after a short delay.
     */
    add: '/v2/memory/judgments/add';
    /**
     * List judgments, newest first.
     *
     * Filters by exact values, without a language model or embeddings; memory/search searches by meaning. There are no further pages: narrow the filters instead.
     */
    query: '/v2/memory/judgments/query';
    /**
     * Revoke judgments.
     *
     * Revoked judgments are excluded from search and suggestions immediately.
     */
    delete: '/v2/memory/judgments/delete';
    /**
     * Add judgments from existing annotations.
     *
     * Scans annotations with their comments, suggestions and statuses, and adds missing judgments. One request scans a limited number of annotations; `nextPageToken` continues the scan. Repeating a scan adds no duplicates, but it restores revoked judgments whose annotation still exists.
     */
    backfill: '/v2/memory/judgments/backfill';
  };
  memory: {
    /**
     * Search judgments by meaning and by keywords.
     *
     * Results are ranked by similarity of meaning and by matching keywords; specific terms (`ERR-4521`, `1.4.3`) weigh most. `similarity` measures meaning only, and is 0 for a new judgment that has no embedding yet.
     *
     * `filters.annotationId` returns the judgments of that thread, oldest first; `recencyDays` returns those of the given number of last days, newest first. Both ignore the query and return a `similarity` of 1. `filters.annotationId` takes precedence over `recencyDays`, which takes precedence over `filters.dateRange`.
     */
    search: '/v2/memory/search';
    /**
     * Recommend a decision on an item, based on earlier decisions.
     *
     * Approvals, agreements and endorsements support approval; rejections and disagreements support rejection; other judgments count for neither. A recommendation needs two judgments on similar items. The narrowest scope with enough judgments decides; wider scopes may add caveats. A judgment's weight depends on its similarity, its age, and how many judgments its reviewer made. Judgments of agents count a quarter, and those from pages that tried to instruct the agent do not count.
     */
    suggest: '/v2/memory/suggest';
    /**
     * Answer a question from the memory with a language model.
     *
     * The model receives judgments and, without `filters` and `recencyDays`, also knowledge files, patterns, alerts and reviewer profiles. Every citation refers to a record that the model received and quotes it; `confidence` is limited by the support of the cited records. If the memory contains nothing relevant, `answer` is empty, `confidence` is 0 and no model is called. A configured model is required in any case.
     */
    ask: '/v2/memory/ask';
    /**
     * List patterns in the decisions of reviewers, latest first, at most 100.
     *
     * Patterns are computed from judgments every hour, and by memory/consolidate.
     */
    patterns: '/v2/memory/patterns/get';
    /**
     * Get the review profile of a user.
     *
     * Profiles are computed from judgments every hour, and by memory/consolidate. The result is null if the user made no decisions or no user is named.
     */
    profile: '/v2/memory/profiles/get';
    /**
     * Get the numbers of judgments, patterns, profiles and knowledge sources in the memory.
     *
     * A number that has reached its limit stands for that many or more; knowledge sources are counted in full. The numbers cover the whole API key.
     */
    stats: '/v2/memory/stats/get';
    /**
     * Compute patterns, profiles and alerts from judgments now.
     *
     * The same runs automatically every hour if judgments changed. Up to 2,000 judgments are processed within the request; with more, or if a run is already in progress, the work is done in the background and `started` is returned.
     */
    consolidate: '/v2/memory/consolidate';
  };
  memoryAlerts: {
    /**
     * List active alerts, newest first, at most 50.
     *
     * An alert reports a change in how reviewers decide. It expires after 30 days if it is not dismissed.
     */
    list: '/v2/memory/alerts/list';
    /**
     * Dismiss an alert.
     *
     * The same alert is not raised again for 30 days.
     */
    dismiss: '/v2/memory/alerts/dismiss';
    /**
     * Mark an alert as handled.
     *
     * The same alert is not raised again for 30 days.
     */
    action: '/v2/memory/alerts/action';
    /**
     * Get the alert settings.
     *
     * Alerts are enabled by default. memory/alerts/list returns the alerts.
     */
    config: '/v2/memory/alerts/config/get';
    /**
     * Change the alert settings.
     *
     * Fields that are not sent keep their values.
     */
    updateConfig: '/v2/memory/alerts/config/update';
  };
  knowledge: {
    /**
     * Add a knowledge file to the memory.
     *
     * Accepts PDF, CSV, XLSX, plain text and Markdown: a file of at most 5 MiB in the request, or an uploaded file. The file is processed in the background; memory/knowledge/ingest-status returns the progress. Each rule of a list, such as a checklist, is stored separately; other text is split at its headings. All parts can be searched by meaning and by keywords. If the API key already has the same file, the new source gets its own id and shares the content of the earlier source.
     */
    ingest: '/v2/memory/knowledge/ingest';
    /**
     * Create a link to upload a knowledge file.
     *
     * For files of up to 30 MiB. PUT the bytes to `uploadUrl` with the same content-type within 15 minutes, and send `fileRef` to memory/knowledge/ingest within the same time. The link contains the address at which the caller reaches the service.
     */
    uploadUrl: '/v2/memory/knowledge/upload-url';
    /**
     * Get the processing status of a knowledge source.
     *
     * Ask until the status is `completed` or `failed`. The source can be searched once it is completed; a failed one has `failureReason`.
     */
    ingestStatus: '/v2/memory/knowledge/ingest-status';
    /**
     * List knowledge sources.
     *
     * Returns the 100 newest sources, newest first.
     */
    list: '/v2/memory/knowledge/list';
    /**
     * List the rules of a knowledge source.
     *
     * Rules are in the order of the file. The list is empty for an unknown source, a source without rules, and one that is not processed yet.
     */
    rules: '/v2/memory/knowledge/rules';
    /**
     * Get the text of a knowledge source.
     *
     * The text is Markdown, with each sheet of a workbook as a table. It is null for an unknown source and one that is not processed yet.
     */
    download: '/v2/memory/knowledge/download';
    /**
     * Replace the rules of a knowledge source.
     *
     * Accepts Markdown: a list with bullets, numbers or checkboxes, a table, or one rule per line. Unchanged rules keep their ids. The change also applies to sources that share the content of the same file; searchable text parts are not updated.
     */
    update: '/v2/memory/knowledge/update';
    /**
     * Delete a knowledge source.
     *
     * Deletes its rules, its text and the file.
     */
    delete: '/v2/memory/knowledge/delete';
    /**
     * Search knowledge sources by meaning and by keywords.
     *
     * Results are ranked by meaning and keywords together; `score` is the cosine distance of the meaning, lower is closer. Results without a score come last, newest first: they have no embedding to compare.
     */
    search: '/v2/memory/knowledge/search';
  };
}

/**
 * A line for each folder of operations: the group, the folder unless it has the same name, and `method=path[items]`, where
 * `method=` is left out if the path begins with it. Brackets follow a list and name the field with its items.
 */
export const NAMES = `workspace  create get usage/get[]
apiKeys workspace/apikey create update
apiKeys workspace/apikeys list=get[]
authTokens workspace/authtoken reset
authTokens workspace/authtokens list=get[authTokens]
domains workspace/domains add list=get[allowedDomains] delete
apiKeyConfig workspace/apikeyconfig get update
emailConfig workspace/emailconfig get update
notificationConfig workspace/notificationconfig get update
permissionProviderConfig workspace/permissionproviderconfig get update
activityConfig workspace/activityconfig get update
basicWebhookConfig workspace/webhookconfig get update
webhookConfig workspace/advancedwebhookconfig get update
webhookEndpoints workspace/advancedwebhook/endpoints create list=get[endpoints] update delete secret/get rotateSecret=secret/rotate test
webhookDeliveries workspace/advancedwebhook/deliveries list=get[deliveries] replay
webhookEventTypes workspace/advancedwebhook/eventtypes list=get[eventTypes]
members  list[members] invite update remove
invitations members/invitations list[invitations] revoke
auth  generateToken=generate_token generateSignature=generate_signature
permissions auth/permissions add get remove explain
agents  create update delete get[agents] extract rules[rules] builtin schema resolveConfig=config/resolve
agentVersions agents/version update
agentVersions agents/versions create list[versions] get restore
agentGroups agents/groups create get list[groups] update delete addAgents=add-agents removeAgents=remove-agents
executions agents/execution run get[results] list[executions] count causes[causes] findings[findings] cancel events[events] share
findings agents/findings list[findings] count get decide
analytics agents/analytics get series
prompts agents/prompt enhance validate refine
reviews  run get list[reviews] cancel share
schedules reviews/schedules create get list update start delete
organizations  add list=get[] update delete updateDisabledState=access/disablestate/update
folders organizations/folders add list=get[] update delete updateAccess=access/update
documents organizations/documents add list=get[] count update move delete updateAccess=access/update updateDisabledState=access/disablestate/update migrate migrationStatus=migrate/status
userGroups organizations/usergroups add list=get[] delete
userGroupMembers organizations/usergroups/users add list=get[] delete
users  add list=get[] count listInDocuments=documents/get[] organizations/get[] update delete
userData users/data get[*] delete deletionStatus=delete/status
activities  add list=get[] update delete
presence  add list=get[] update delete
liveState livestate broadcast list=get[]
editors crdt add update list=get[] delete
editorSnapshots crdt/snapshots create list[] get restore delete
annotations commentannotations add list=get[] update delete count/get
unread commentannotations/unread get[documents] clear
comments commentannotations/comments add list=get[] update delete
reactions commentannotations/reactions add list=get[] delete
attachments  create get list[] delete
notifications  add list=get[] update delete
notificationPreferences notifications/config get set
rewriter  askAi=ask-ai
judgments memory/judgments add query[results] delete backfill[*]
memory  search suggest ask patterns/get[] profile=profiles/get stats/get consolidate
memoryAlerts memory/alerts list[] dismiss action config/get updateConfig=config/update
knowledge memory/knowledge ingest uploadUrl=upload-url ingestStatus=ingest-status list[] rules[] download update delete search`;
