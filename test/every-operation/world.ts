import type { MemberRole, TokenScope } from '../../src/lib/scope.ts';
import { png, upload } from '../documents/attachments.ts';
import type { ConsoleSession } from '../people/console-session.ts';
import { newWorkspace, type TestWorkspace } from '../service/harness.ts';
import { addByRole, fillConsole } from './console-world.ts';
import type { Kind } from './id-fields.ts';
import { addKnownFile } from './known-file.ts';
import { exists } from './operations.ts';
import { raiseAlert } from './raised-alert.ts';
import { addPictured } from './reviewed-run.ts';

export type Id = string | number;

/** A tenant with an object of every kind that operations create. */
export interface World {
  workspace: TestWorkspace & { accountId: string };
  /** The console of the owner. */
  session: ConsoleSession;
  /** The consoles of members with each role, and personal tokens of the owner with one scope each. */
  members: Record<MemberRole, ConsoleSession>;
  tokens: Record<TokenScope, string>;
  /** Ids chosen by callers, which every world has. */
  shared: Partial<Record<Kind, Id>>;
  /** Ids that no other world has, within the objects of the shared ids. */
  own: Partial<Record<Kind, Id>>;
  /** Text that only rows of this world contain; no other tenant may see it. */
  mark: string;
  /** Errors during the creation. */
  problems: string[];
  /** Texts that only the operation for them may return. */
  secrets: Record<'apiKeyToken' | 'workspaceToken' | 'sealed' | 'webhook' | 'console', string[]>;
  /** Texts in settings that may be secrets, such as parameters of addresses, which viewers do not get. */
  hidden: string[];
}

/** An id of a kind in this world, preferably one that every world has. */
export const idIn = (world: World, kind: Kind): Id | undefined => world.shared[kind] ?? world.own[kind];

/** An id that exists nowhere. */
export const unknownId = (kind: Kind, which = 1): Id =>
  kind === 'comment'
    ? 900_000_000 + which
    : kind === 'pageToken'
      ? `dW5rbm93bg${which}`
      : kind === 'attachment'
        ? `att_${String(which).padStart(20, '0')}`
        : `unheard-of-${which}`;

const SHARED = {
  organization: 'acme',
  folder: 'folder-1',
  document: 'home',
  user: 'jane',
  userGroup: 'team',
  location: 'hero',
  annotation: 'note-1',
  comment: 1_001,
  notification: 'bell-1',
  activity: 'act-1',
  editor: 'body',
  liveState: 'cursor-1',
  judgment: 'judged-1',
} as const satisfies Partial<Record<Kind, Id>>;

const BUILTIN = 'broken-links';
const NOWHERE = 'https://example.com/';
/** Refuses every connection, so that nothing leaves the machine. */
const CLOSED_PORT = 'http://127.0.0.1:9/hook';

/** Creates a world through the API; `tag` distinguishes its ids from those of other worlds. */
export async function buildWorld(tag: string): Promise<World> {
  const workspace = await newWorkspace();
  const mark = `mark-of-${tag}-${workspace.apiKeyId.slice(-6)}`;
  const sealed = `sealed-of-${tag}-${workspace.apiKeyId.slice(-6)}`;
  const secrets = {
    apiKeyToken: [workspace.token],
    workspaceToken: [workspace.authToken],
    sealed: [sealed],
    webhook: [] as string[],
    console: [] as string[],
  };
  const hidden = `hidden-of-${tag}-${workspace.apiKeyId.slice(-6)}`;
  const own: World['own'] = {
    workspace: workspace.workspaceId,
    apiKey: workspace.apiKeyId,
    authToken: workspace.token,
  };
  const problems: string[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  const call = async (path: string, data: object): Promise<any> => {
    if (!exists(path)) return undefined;
    const { status, body } = await workspace.post(path, data);
    if (status !== 200) problems.push(`${path}: ${JSON.stringify(body)}`);
    // One operation answers without the envelope, and some without a field `data`.
    const result = body.result ?? body;
    return 'data' in result ? result.data : result;
  };
  const organizations = [SHARED.organization, `org-${tag}`] as const;
  own.organization = organizations[1];

  await call('/v2/organizations/add', {
    organizations: organizations.map((organizationId) => ({ organizationId, organizationName: mark })),
  });
  await call('/v2/workspace/apikeyconfig/update', {
    aiModelApiKey: [{ provider: 'openai', customerApiKey: sealed }],
  });
  // A list has a second page only if there are two rows.
  await workspace.postAsWorkspace('/v2/workspace/apikey/create', {
    ownerEmail: workspace.email,
    type: 'testing',
    apiKeyName: mark,
  });
  await call('/v2/workspace/domains/add', { domains: [`${tag}.example.org`, 'example.net'] });
  await call('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } });
  for (const organizationId of organizations) {
    await fillOrganization(call, organizationId, tag, mark);
  }
  for (const kind of Object.keys(SHARED) as (keyof typeof SHARED)[]) {
    if (kind !== 'organization' && kind !== 'comment') own[kind] = `${SHARED[kind]}-${tag}`;
  }
  own.comment = ownComment(tag);
  own.snapshot = await createSnapshots(call, mark);
  await fillAgents(call, own, mark, sealed);
  if (own.execution) own.finding = await addPictured(workspace, String(own.execution), NOWHERE, mark);
  const place = { organizationId: SHARED.organization, documentId: SHARED.document };
  own.migration = (
    await call('/v2/organizations/documents/migrate', {
      ...place,
      documentId: `moving-${tag}`,
      newDocumentId: `moved-${tag}`,
    })
  )?.migrationId;
  own.memoryAlert = await raiseAlert(call, SHARED.user, mark);
  if (exists('/v2/attachments/create')) own.attachment = await attachFiles(workspace, mark);
  own.knowledgeSource = await addKnownFile(workspace, mark);
  own.deletionJob = (await call('/v2/users/data/delete', { userIds: [`gone-${tag}`] }))?.jobId;
  await call('/v2/workspace/permissionproviderconfig/update', {
    permissionProviderConfig: { permissionProviderUrl: `https://example.com/?key=${hidden}` },
  });
  await addWebhooks(call, { own, secrets }, { tag, mark, hidden });
  await call('/v2/workspace/webhookconfig/update', {
    useWebhookService: true,
    webhookServiceConfig: {
      authToken: sealed,
      rawNotificationUrl: `https://example.com/${mark}?key=${hidden}`,
    },
  });
  const session = await fillConsole(workspace, own, secrets.console, mark);
  return {
    workspace: { ...workspace, accountId: session.data.account.accountId },
    session,
    ...(await addByRole(workspace)),
    shared: SHARED,
    own,
    mark,
    secrets,
    hidden: [hidden],
    problems,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
type AnyCall = (path: string, data: object) => Promise<any>;

/** Adds two endpoints, and two messages to the first. */
async function addWebhooks(
  call: AnyCall,
  { own, secrets }: Pick<World, 'own' | 'secrets'>,
  { tag, mark, hidden }: { tag: string; mark: string; hidden: string },
): Promise<void> {
  await call('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true });
  const endpoint = await call('/v2/workspace/advancedwebhook/endpoints/create', {
    url: `${CLOSED_PORT}?key=${hidden}`,
    description: mark,
  });
  own.webhookEndpoint = endpoint?.id;
  const { secret } = await call('/v2/workspace/advancedwebhook/endpoints/secret/get', {
    endpointId: own.webhookEndpoint,
  });
  secrets.webhook.push(secret);
  for (let count = 0; count < 2; count++) {
    const sent = await call('/v2/workspace/advancedwebhook/endpoints/test', {
      endpointId: own.webhookEndpoint,
    });
    own.webhookMessage = sent?.webhookId;
  }
  await call('/v2/workspace/advancedwebhook/endpoints/create', {
    url: 'https://example.com/second',
    uid: `second-${tag}`,
    metadata: { mark },
  });
}

const ownComment = (tag: string): number => 2_000 + tag.charCodeAt(0);

type Call = (path: string, data: object) => Promise<unknown>;

async function fillOrganization(
  call: Call,
  organizationId: string,
  tag: string,
  mark: string,
): Promise<void> {
  const both = (id: string) => [id, `${id}-${tag}`];
  const author = { userId: SHARED.user, name: mark, email: 'jane@example.com' };
  const users = both(SHARED.user).map((userId) => ({ userId, name: mark, email: `${userId}@example.com` }));

  await call('/v2/organizations/folders/add', {
    organizationId,
    folders: both(SHARED.folder).map((folderId) => ({ folderId, folderName: mark })),
  });
  await call('/v2/organizations/documents/add', {
    organizationId,
    documents: [...both(SHARED.document), `moving-${tag}`].map((documentId) => ({
      documentId,
      documentName: mark,
    })),
    folderId: SHARED.folder,
  });
  // Only viewers, so that a role as editor comes from the token.
  const viewers = users.map((user) => ({ ...user, accessRole: 'viewer' }));
  await call('/v2/users/add', { organizationId, users: viewers });
  await call('/v2/organizations/usergroups/add', {
    organizationId,
    organizationUserGroups: both(SHARED.userGroup).map((groupId) => ({ groupId, groupName: mark })),
  });
  await call('/v2/organizations/usergroups/users/add', {
    organizationId,
    organizationUserGroupId: SHARED.userGroup,
    userIds: both(SHARED.user),
  });
  for (const documentId of both(SHARED.document)) {
    await fillDocument(call, { organizationId, documentId }, { tag, mark, author, both });
  }
}

interface Filling {
  tag: string;
  mark: string;
  author: object;
  both(id: string): string[];
}

async function fillDocument(
  call: Call,
  place: { organizationId: string; documentId: string },
  { tag, mark, author, both }: Filling,
): Promise<void> {
  const comment = (commentId: number) => ({ commentId, commentText: mark, from: author });
  await call('/v2/commentannotations/add', {
    ...place,
    commentAnnotations: both(SHARED.annotation).map((annotationId, index) => ({
      annotationId,
      location: { id: both(SHARED.location)[index], locationName: mark },
      commentData: [comment(SHARED.comment), comment(ownComment(tag))],
    })),
  });
  // Authors have read what they wrote, so that nothing would be unread.
  await call('/v2/commentannotations/update', {
    ...place,
    updatedData: { unviewedByUserIds: both(SHARED.user) },
  });
  for (const reactionId of ['agree', '👍']) {
    await call('/v2/commentannotations/reactions/add', {
      ...place,
      annotationId: SHARED.annotation,
      commentId: SHARED.comment,
      reactionId,
      from: author,
    });
  }
  const isHome = place.documentId === SHARED.document;
  // Not the users of the organization: a grant on the document would override the role in a token.
  await call('/v2/users/add', {
    ...place,
    users: both('reader-1').map((userId) => ({ userId, name: mark, email: `${userId}@example.com` })),
  });
  for (const id of both(SHARED.notification)) {
    await call('/v2/notifications/add', {
      ...place,
      actionUser: author,
      notificationId: isHome ? id : `${id}-${place.documentId}`,
      notifyAll: true,
      notifyUsers: both(SHARED.user).map((userId) => ({ userId })),
      displayHeadlineMessageTemplate: mark,
      displayBodyMessage: mark,
    });
  }
  await call('/v2/activities/add', {
    ...place,
    activities: both(SHARED.activity).map((id) => ({
      id: isHome ? id : `${id}-${place.documentId}`,
      featureType: 'custom',
      actionType: 'looked',
      actionUser: author,
      targetEntityId: 'thing',
      displayMessageTemplate: mark,
    })),
  });
  for (const editorId of both(SHARED.editor)) {
    await call('/v2/crdt/add', { ...place, editorId, type: 'text', data: mark });
  }
  await call('/v2/presence/add', {
    ...place,
    users: both(SHARED.user).map((userId) => ({ userId, name: mark, status: 'online' })),
  });
  for (const liveStateDataId of both(SHARED.liveState)) {
    await call('/v2/livestate/broadcast', { ...place, liveStateDataId, data: { mark } });
  }
  await call('/v2/memory/judgments/add', {
    judgments: both(SHARED.judgment).map((id) => ({
      id: isHome ? id : `${id}-${place.documentId}-${place.organizationId}`,
      ...place,
      decision: 'approve',
      reasoning: mark,
      actionUser: author,
    })),
  });
}

/** Attaches two files to the shared comment, so that their list has a second page. */
async function attachFiles(workspace: TestWorkspace, mark: string): Promise<Id> {
  const files = [
    await upload(workspace, png(), { fileName: `${mark}.png` }),
    await upload(workspace, png(), { fileName: mark }),
  ];
  await workspace.must('/v2/commentannotations/comments/update', {
    organizationId: SHARED.organization,
    documentId: SHARED.document,
    annotationId: SHARED.annotation,
    commentIds: [SHARED.comment],
    updatedData: {
      from: { userId: SHARED.user, name: mark, email: 'jane@example.com' },
      attachments: files.map((attachmentId) => ({ attachmentId })),
    },
  });
  return files[0]!;
}

/** Creates two snapshots, so that their list has a second page. */
async function createSnapshots(call: Call, mark: string): Promise<Id | undefined> {
  const editor = {
    organizationId: SHARED.organization,
    documentId: SHARED.document,
    editorId: SHARED.editor,
  };
  let snapshotId: Id | undefined;
  for (let count = 0; count < 2; count++) {
    const created = (await call('/v2/crdt/snapshots/create', { ...editor, name: mark })) as
      | { snapshotId: string }
      | undefined;
    snapshotId = created?.snapshotId;
  }
  return snapshotId;
}

async function fillAgents(call: Call, own: World['own'], mark: string, sealed: string): Promise<void> {
  const agent = (await call('/v2/agents/create', {
    name: mark,
    contextGathering: { strategies: ['none'] },
    instructions: mark,
    execution: {
      executionStrategy: 'mcp-tools',
      mcpServers: [{ id: 'docs', url: NOWHERE, auth: { type: 'bearer', token: sealed } }],
    },
  })) as { agentId: string } | undefined;
  own.agent = agent?.agentId;
  await call('/v2/agents/version/update', { agentId: own.agent, rawInstructions: mark });
  const created = (await call('/v2/agents/groups/create', { name: mark, agentIds: [own.agent] })) as {
    group: { id: string };
  };
  own.agentGroup = created.group.id;
  const place = { organizationId: SHARED.organization, documentId: SHARED.document };
  for (const [index, agentId] of [BUILTIN, own.agent, own.agent].entries()) {
    const run = (await call('/v2/agents/execution/run', {
      agentId,
      url: `${NOWHERE}${mark}/${index}`,
      ...place,
      ranBy: { userId: SHARED.user, name: mark },
    })) as { executionId: string };
    own.execution = run.executionId;
  }
  for (const index of [0, 1]) {
    const review = (await call('/v2/reviews/run', {
      urls: [`${NOWHERE}${mark}/review/${index}`],
      agents: [BUILTIN],
      groupId: own.agentGroup,
    })) as { reviewId: string };
    own.review = review.reviewId;
  }
  const { schedule } = (await call('/v2/reviews/schedules/create', {
    name: mark,
    cron: '0 7 * * *',
    review: { urls: [`${NOWHERE}${mark}/`], agents: [BUILTIN], ...place },
  })) as { schedule: { id: string } };
  own.schedule = schedule.id;
}
