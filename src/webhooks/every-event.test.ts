import { beforeAll, expect, test } from 'vitest';
import { Doc } from 'yjs';
import { type FakeSite, fakeSite } from '../../test/fakes/site.ts';
import { compactDueIn, writeLive } from '../../test/live/editor-rows.ts';
import { faultsOf, messagesOf } from '../../test/messages/webhook-events.ts';
import { newUserToken } from '../../test/people/user-token.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../../test/service/harness.ts';
import { emit } from '../events/emit.ts';
import type { WebhookEventName } from '../events/event-catalog.ts';
import { runExecution } from '../review/run/run-execution.ts';
import { runReview } from '../review/run/run-review.ts';
import { runMigration } from '../store/documents/document-migrations.ts';
import { runDeletion } from '../store/privacy/data-deletions.ts';
import { webhookEvents } from './catalog/webhook-catalog.ts';
import type { ComposedMessage } from './compose/compose-messages.ts';
import { protectBody } from './deliver/format-body.ts';

const never = new AbortController().signal;
const organizationId = 'acme';
const place = { organizationId, documentId: 'home' };
const ann = { userId: 'ann', name: 'Ann', email: 'ann@example.com' };
const bob = { userId: 'bob', name: 'Bob', email: 'bob@example.com' };

/** Raises every event: by calls of a backend and of a user, a run, a migration and a deletion. */
async function raiseEveryEvent(site: FakeSite): Promise<TestWorkspace> {
  const w = await newWorkspace();
  const { must } = w;
  await ofPlacesAndPeople(w);
  await ofAnnotations(w);
  await ofAgents(w, site);
  await must('/v2/workspace/activityconfig/update', {
    activityServiceConfig: { isEnabled: true, immutable: false },
  });
  const activity = {
    id: 'act',
    featureType: 'custom',
    actionType: 'x',
    actionUser: ann,
    targetEntityId: 't',
  };
  await must('/v2/activities/add', { ...place, activities: [activity] });
  await must('/v2/activities/update', { ...place, activities: [{ id: 'act', actionIcon: 'rocket' }] });
  await must('/v2/activities/delete', { ...place, activityIds: ['act'] });
  await must('/v2/presence/add', { ...place, users: [ann] });
  await must('/v2/presence/delete', { ...place, userIds: ['ann'] });
  await must('/v2/livestate/broadcast', { ...place, liveStateDataId: 's', data: { slide: 1 } });
  await ofEditors(w);
  await must('/v2/notifications/add', {
    ...place,
    notificationId: 'n',
    actionUser: ann,
    notifyUsers: [bob],
    notifyAll: false,
    displayHeadlineMessageTemplate: '{actionUser} approved',
    displayHeadlineMessageTemplateData: { actionUser: ann },
    displayBodyMessage: 'Body',
  });
  await ofTheEnd(w);
  return w;
}

async function ofPlacesAndPeople({ must }: TestWorkspace) {
  await must('/v2/organizations/add', { organizations: [{ organizationId, organizationName: 'Acme' }] });
  await must('/v2/organizations/update', {
    organizations: [{ organizationId, organizationName: 'Acme Ltd' }],
  });
  const folder = (name: string) => ({ organizationId, folders: [{ folderId: 'f', folderName: name }] });
  await must('/v2/organizations/folders/add', folder('F'));
  await must('/v2/organizations/folders/update', folder('G'));
  const documents = [{ documentId: 'home', documentName: 'Home', team: 'web' }];
  await must('/v2/organizations/documents/add', { organizationId, documents });
  await must('/v2/organizations/documents/move', { organizationId, documentIds: ['home'], folderId: 'f' });
  const users = [{ ...ann, accessRole: 'editor' }, bob];
  await must('/v2/users/add', { organizationId, users });
  await must('/v2/users/update', { organizationId, users: [{ ...ann, accessRole: 'viewer' }] });
  const group = { organizationId, organizationUserGroups: [{ groupId: 'g', groupName: 'G' }] };
  await must('/v2/organizations/usergroups/add', group);
  const member = { organizationId, organizationUserGroupId: 'g', userIds: ['ann'] };
  await must('/v2/organizations/usergroups/users/add', member);
  await must('/v2/organizations/usergroups/users/delete', member);
  await must('/v2/organizations/usergroups/delete', { organizationId, organizationUserGroupIds: ['g'] });
}

async function ofAnnotations(w: TestWorkspace) {
  const note = (annotationId: string, more: object = {}) => ({
    annotationId,
    location: { id: 'top' },
    pageInfo: { url: 'https://example.com/' },
    commentData: [{ from: ann, commentText: 'Hello', triggerNotification: true }],
    ...more,
  });
  const suggestion = { oldValue: 'a', newValue: 'b' };
  await w.must('/v2/commentannotations/add', {
    ...place,
    commentAnnotations: [
      note('a1'),
      note('a2', { suggestion }),
      note('a3', { suggestion }),
      note('a4', { visibility: { type: 'restricted', userIds: ['ann', 'bob'] } }),
    ],
  });
  const inOrganization = { type: 'organization', id: organizationId, accessRole: 'editor' };
  const user = await newUserToken(w, { ...bob, isAdmin: true, resources: [inOrganization] });
  const byUser = async (path: string, data: object) => {
    const { status, body } = await user.post(path, { ...place, ...data });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.result.data;
  };
  const update = (annotationId: string, updatedData: object) =>
    byUser('/v2/commentannotations/update', { annotationIds: [annotationId], updatedData });
  await update('a1', { assignedTo: ann });
  await update('a1', { status: { id: 'RESOLVED' } });
  await update('a1', { priority: { id: 'P1', name: 'High' } });
  await update('a1', { targetElement: { elementId: 'h1' } });
  await update('a1', { visibility: { type: 'organizationPrivate' } });
  await update('a2', { suggestion: { status: 'accepted' } });
  await update('a3', { suggestion: { status: 'rejected' } });
  const inside = { annotationId: 'a1' };
  const path = '/v2/commentannotations/comments';
  const [commentId] = await byUser(`${path}/add`, { ...inside, commentData: [{ commentText: 'Yes' }] });
  const ids = { ...inside, commentIds: [commentId] };
  await byUser(`${path}/update`, { ...ids, updatedData: { commentText: 'No' } });
  const reaction = { ...inside, commentId, reactionId: '👍' };
  await byUser('/v2/commentannotations/reactions/add', reaction);
  await byUser('/v2/commentannotations/reactions/delete', reaction);
  await byUser(`${path}/delete`, ids);
  await byUser('/v2/commentannotations/delete', { annotationIds: ['a4'] });
}

const pages: Record<string, string> = {};

async function ofAgents(w: TestWorkspace, site: FakeSite) {
  const { deps } = await testApp();
  const { agentId } = await w.must('/v2/agents/create', {
    name: 'Links',
    contextGathering: { strategies: ['none'] },
    execution: { executionStrategy: 'service', serviceId: 'broken-links' },
  });
  // The second run finds one fault fixed and another one added.
  for (const fault of ['/gone', '/gone-too']) {
    pages['/'] = `<a href="${fault}">gone</a>`;
    const { executionId } = await w.must('/v2/agents/execution/run', { agentId, url: site.url, ...place });
    await runExecution({ workspaceId: w.workspaceId, apiKeyId: w.apiKeyId, executionId }, deps, never);
  }
  const { reviewId } = await w.must('/v2/reviews/run', { agents: [agentId], urls: [site.url], ...place });
  await runReview({ workspaceId: w.workspaceId, apiKeyId: w.apiKeyId, reviewId }, deps, never);
  await w.must('/v2/agents/update', { agentId, name: 'All links' });
  await w.must('/v2/agents/delete', { agentId });
}

async function ofEditors(w: TestWorkspace) {
  await w.must('/v2/workspace/advancedwebhookconfig/update', { isEnabled: true });
  const { id } = await w.must('/v2/workspace/advancedwebhook/endpoints/create', {
    url: 'https://example.com/',
  });
  await writeLive(w, new Doc(), (document) => document.getText('content').insert(0, 'Hello'));
  await compactDueIn(6_000);
  await w.must('/v2/workspace/advancedwebhook/endpoints/delete', { endpointId: id });
}

async function ofTheEnd(w: TestWorkspace) {
  const { deps } = await testApp();
  const scope = { workspaceId: w.workspaceId, apiKeyId: w.apiKeyId };
  const move = { ...place, newDocumentId: 'house' };
  const { migrationId } = await w.must('/v2/organizations/documents/migrate', move);
  await runMigration(deps.db, { ...scope, organizationId, migrationId }, never);
  await w.must('/v2/organizations/documents/delete', { organizationId, documentIds: ['house'] });
  await w.must('/v2/organizations/folders/delete', { organizationId, folderId: 'f' });
  await w.must('/v2/users/delete', { organizationId, userIds: ['bob'] });
  const { body } = await w.post('/v2/users/data/delete', { userIds: ['nobody-here'] });
  await runDeletion(deps.db, deps.jobs, { ...scope, jobId: body.data.jobId }, never);
  await w.must('/v2/organizations/delete', { organizationIds: [organizationId] });
  const failed = { endpointId: 'ep_1', webhookId: 'evt_1', eventType: 'comment.add', attempts: 8 };
  await deps.db.transaction().execute(async (tx) => {
    await emit(tx, scope, 'message.attempt.exhausted', { ...failed, lastAttempt: { at: 1, status: 500 } });
    const failing = { endpointId: 'ep_1', url: 'https://x.example/', failingSince: 1, disablesAt: 2 };
    await emit(tx, scope, 'endpoint.failing', { ...failing, percent: 50 });
    await emit(tx, scope, 'endpoint.disabled', { endpointId: 'ep_1', reason: 'failing', failingSince: 1 });
  });
}

let workspace: TestWorkspace;
let messages: ComposedMessage[];

beforeAll(async () => {
  const site = await fakeSite(pages);
  workspace = await raiseEveryEvent(site);
  await site.close();
  messages = await messagesOf(workspace);
}, 120_000);

const all = Object.keys(webhookEvents) as WebhookEventName[];

test('every event of the catalog can happen', () => {
  expect(new Set(messages.map(({ type }) => type))).toEqual(new Set(all));
});

test('the message of every event matches the catalog, also with data protection', () => {
  expect(messages.flatMap(faultsOf)).toEqual([]);
  expect(messages.flatMap(({ type, body }) => faultsOf({ type, body: protectBody(body) }))).toEqual([]);
});

test.each(all)('a message of %s has every field of its sample', (type) => {
  const ofType = messages.filter((message) => message.type === type).map(({ body }) => JSON.parse(body));
  const { actionType, source, sample } = webhookEvents[type];
  expect(ofType).toContainEqual(
    expect.objectContaining({ event: type, actionType, source, platform: 'sdk' }),
  );
  const named = new Set(ofType.flatMap(({ data }) => Object.keys(data)));
  expect(Object.keys(sample).filter((key) => !named.has(key))).toEqual([]);
});

test('messages carry the ids that the caller gave, and no internal ones', () => {
  for (const { body, organizationId: of } of messages) {
    expect(Object.keys(JSON.parse(body).data)).not.toEqual(expect.arrayContaining(['loud', 'logged']));
    expect(body).not.toMatch(/"(loud|logged|visibilityChanged)"/);
    expect([null, organizationId]).toContain(of);
  }
});

test('a run sends events for its annotations, for those whose fault is gone and for its end', () => {
  const types = messages
    .map(({ type, body }) => [type, JSON.parse(body).data] as const)
    .filter(([, data]) => data.executionId || data.commentAnnotation?.sourceType === 'agent')
    .map(([type]) => type);
  expect(types).toEqual([
    'comment_annotation.add',
    'agent_execution.completed',
    'comment_annotation.status_change',
    'comment_annotation.add',
    'agent_execution.completed',
    'agent_execution.completed',
  ]);
});

test('an agent’s comment sends events like any other, with the agent as the actor that resolves it', () => {
  const ofAgents = (wanted: WebhookEventName) =>
    messages
      .filter(({ type }) => type === wanted)
      .map(({ body }) => JSON.parse(body).data)
      .find(({ commentAnnotation }) => commentAnnotation.sourceType === 'agent');
  const added = ofAgents('comment_annotation.add');
  const { createdAt } = added.commentAnnotation;
  expect(added.targetComment).toMatchObject({
    createdAt,
    lastUpdated: new Date(createdAt).toISOString(),
    from: { userId: added.commentAnnotation.agent.agentId, name: 'Links' },
  });
  expect(ofAgents('comment_annotation.status_change').actionUser).toEqual(added.actionUser);
});
