import { expect, test } from 'vitest';
import { faultsOf, messagesOf } from '../../../test/messages/webhook-events.ts';
import { through } from '../../../test/people/assistant.ts';
import { newWorkspace } from '../../../test/service/harness.ts';
import type { WebhookEventName } from '../../events/event-catalog.ts';
import { describeEvent } from '../catalog/message-body.ts';
import { webhookEvents } from '../catalog/webhook-catalog.ts';
import { protectBody } from './format-body.ts';

/** Its words are long: a random id must not contain one by chance, in any case. */
const CANARY = 'Canary Nightingale <canary@example.com>';

const place = { organizationId: 'acme', documentId: 'home' };
const singing = (userId: string) => ({ userId, name: CANARY, email: CANARY, photoUrl: CANARY, team: CANARY });
const ann = singing('ann');
const bob = singing('bob');

const everywhere = {
  annotationId: 'a1',
  location: { id: 'top', locationName: CANARY, more: CANARY },
  targetElement: { elementId: CANARY, targetText: CANARY },
  context: { note: CANARY, access: { team: [CANARY] } },
  priority: { id: 'P1', name: CANARY, note: CANARY },
  assignedTo: bob,
  type: 'suggestion',
  suggestion: { targetId: CANARY, oldValue: CANARY, newValue: { deep: [CANARY] }, summary: CANARY },
  pageInfo: { url: `https://example.com/?${CANARY}`, title: CANARY },
  metadata: { title: CANARY, nested: { note: CANARY }, folderId: CANARY },
  [CANARY]: CANARY,
};
const comment = {
  from: ann,
  commentText: CANARY,
  commentHtml: `<p title="${CANARY}">${CANARY}</p>`,
  context: { note: CANARY },
  taggedUserContacts: [{ userId: 'bob', contact: bob, text: CANARY }],
  attachments: [
    { attachmentId: 1, name: CANARY, url: `https://example.com/${CANARY}`, metadata: { x: CANARY } },
  ],
  agent: {
    agentSource: 'external',
    agentId: 'linter',
    agentName: CANARY,
    url: `https://example.com/?${CANARY}`,
    reason: {
      title: CANARY,
      description: CANARY,
      severity: 'high',
      findingId: 'finding-1',
      issueType: CANARY,
      suggestion: CANARY,
      suggestedFix: CANARY,
      htmlSnippet: CANARY,
      htmlSelector: CANARY,
      knowledgeSection: CANARY,
      custom: CANARY,
    },
  },
};

/** Creates a thread with a canary in every text that a caller can write. */
async function threadOfCanaries() {
  const workspace = await newWorkspace();
  await workspace.must('/v2/organizations/add', {
    organizations: [{ organizationId: 'acme', organizationName: CANARY, note: CANARY }],
  });
  await workspace.must('/v2/organizations/documents/add', {
    organizationId: 'acme',
    documents: [{ documentId: 'home', documentName: CANARY, note: CANARY }],
  });
  await workspace.must('/v2/users/add', { organizationId: 'acme', users: [ann, bob] });
  await workspace.must('/v2/commentannotations/add', {
    ...place,
    commentAnnotations: [{ ...everywhere, commentData: [{ ...comment, commentId: 7 }] }],
  });
  const update = (updatedData: object) =>
    workspace.must('/v2/commentannotations/update', { ...place, annotationIds: ['a1'], updatedData });
  const status = (id: string) => ({ id, name: CANARY, type: 'ongoing', svg: '<svg></svg>', note: CANARY });
  await update({ status: status('S1'), priority: { id: 'P2', name: CANARY } });
  await update({ status: status('S2'), assignedTo: ann });
  const rejectReason = { rejectReason: CANARY, resolvedBy: bob };
  await update({ suggestion: { status: 'rejected', summary: CANARY, ...rejectReason } });
  await workspace.must('/v2/notifications/add', {
    ...place,
    notificationId: 'n1',
    actionUser: ann,
    notifyUsers: [bob],
    notifyAll: false,
    displayHeadlineMessageTemplate: `{actionUser} ${CANARY} {file}`,
    displayHeadlineMessageTemplateData: { actionUser: ann, file: CANARY },
    displayBodyMessage: CANARY,
    notificationSourceData: { note: CANARY },
    location: { id: 'top', locationName: CANARY },
    metadata: { note: CANARY },
  });
  return await messagesOf(workspace);
}

test('data protection removes all text that people wrote and keeps every id', async () => {
  const messages = await threadOfCanaries();
  const types = ['organization.add', 'document.add', 'user.add', 'notification.add'];
  const ofComments = ['add', 'status_change', 'priority_change', 'assign', 'suggestion_reject', 'update'];
  expect(messages.map(({ type }) => type)).toEqual(
    expect.arrayContaining([...types, ...ofComments.slice(0, 5).map((kind) => `comment_annotation.${kind}`)]),
  );
  for (const { type, body, basicBody } of messages) {
    expect(body).toContain('Canary');
    for (const text of [body, ...(basicBody === null ? [] : [basicBody])]) {
      expect(protectBody(text)).not.toMatch(/canary|nightingale/i);
    }
    expect(faultsOf({ type, body: protectBody(body) })).toEqual([]);
  }
  const first = messages.find(({ type }) => type === 'comment_annotation.add')!;
  const { data, usersOrganizationNotificationsConfig: config } = JSON.parse(protectBody(first.body));
  expect(config).toEqual({
    ann: { inbox: 'ALL', email: 'MINE' },
    bob: { inbox: 'ALL', email: 'MINE' },
  });
  const agent = {
    agentSource: 'external',
    agentId: 'linter',
    reason: { severity: 'high', findingId: 'finding-1' },
  };
  expect(data).toEqual({
    commentAnnotation: {
      annotationId: 'a1',
      annotationNumber: 1,
      annotationIndex: 1,
      type: 'suggestion',
      sourceType: 'agent',
      commentType: 'manual',
      isDraft: false,
      hasDraftComments: false,
      from: { userId: 'ann' },
      assignedTo: { userId: 'bob' },
      involvedUserIds: ['ann', 'bob'],
      mentionedUserIds: ['bob'],
      subscribedUsers: expect.any(Object),
      status: { id: 'OPEN', type: 'default' },
      priority: { id: 'P1' },
      visibilityConfig: { type: 'public' },
      suggestion: { status: 'pending' },
      agent,
      location: { id: 'top' },
      locationId: expect.any(Number),
      metadata: { apiKey: first.event.apiKeyId, ...place },
      createdAt: expect.any(Number),
      lastUpdated: expect.any(Number),
    },
    targetComment: expect.objectContaining({
      commentId: 7,
      from: { userId: 'ann' },
      to: [{ userId: 'bob' }],
      taggedUserContacts: [{ userId: 'bob' }],
      agent,
    }),
    actionUser: { userId: 'ann' },
    metadata: {
      apiKey: first.event.apiKeyId,
      document: { documentId: 'home' },
      organization: { organizationId: 'acme' },
      locationId: expect.any(Number),
      location: { id: 'top' },
    },
  });
  const basic = JSON.parse(protectBody(first.basicBody!));
  expect(basic).toMatchObject({ webhookId: first.event.id, notificationSource: 'comment', ...data });
});

/** Keys of ids, types and statuses; a value of any other key counts as text. */
const HARMLESS_KEYS =
  /^(event|actionType|source|platform|.*Ids?|id|apiKey|type|sourceType|status|severity|accessRole)$/;
const MORE_HARMLESS_KEYS = new Set([
  'verdict',
  'inbox',
  'eventType',
  'reason',
  'userIds',
  'lastUpdate',
  'lastUpdated',
  'lastUpdatedBy',
  'notificationSource',
  'origin',
  'decision',
  'judgeType',
]);

/** The same value with a canary for every text, and more canaries in unknown fields. */
function withCanaries(value: unknown, key = ''): unknown {
  if (typeof value === 'string')
    return HARMLESS_KEYS.test(key) || MORE_HARMLESS_KEYS.has(key) ? value : CANARY;
  if (Array.isArray(value)) return value.map((one) => withCanaries(one, key));
  if (typeof value !== 'object' || value === null) return value;
  return {
    ...Object.fromEntries(Object.entries(value).map(([inner, one]) => [inner, withCanaries(one, inner)])),
    photoUrl: CANARY,
    custom: { userId: { text: CANARY }, list: [CANARY, [CANARY]] },
    [CANARY]: 1,
  };
}

const all = Object.keys(webhookEvents) as WebhookEventName[];

test.each(all)('data protection of %s keeps only allowed fields', (type) => {
  const { sample } = describeEvent(type);
  const planted = JSON.stringify(withCanaries(sample));
  const left = protectBody(planted);
  expect(left).not.toMatch(/canary|nightingale/i);
  expect(faultsOf({ type, body: left })).toEqual([]);
  // Exactly the fields of the protected sample.
  expect(JSON.parse(left)).toEqual(JSON.parse(protectBody(JSON.stringify(sample))));
});

test('messages say what an assistant wrote and decided, and data protection keeps that', async () => {
  const workspace = await newWorkspace();
  const eve = { userId: 'eve' };
  const said = [{ commentId: 7, commentText: 'Hm.', from: eve }];
  const annotation = { annotationId: 'a', type: 'suggestion', commentData: said };
  const added = { ...place, createDocument: true, commentAnnotations: [annotation] };
  await workspace.must('/v2/commentannotations/add', added);
  const assistant = through(workspace);
  const commentData = [{ commentText: 'Fixed.', from: eve }];
  await assistant.must('/v2/commentannotations/comments/add', { ...place, annotationId: 'a', commentData });
  const updatedData = { suggestion: { status: 'accepted', resolvedBy: eve } };
  await assistant.must('/v2/commentannotations/update', { ...place, annotationIds: ['a'], updatedData });
  const messages = await messagesOf(workspace);
  const dataOf = (name: string, protect: boolean) => {
    const { type, body } = messages.find((one) => one.type === name)!;
    const text = protect ? protectBody(body) : body;
    expect(faultsOf({ type, body: text })).toEqual([]);
    return JSON.parse(text).data;
  };
  for (const protect of [false, true]) {
    expect(dataOf('comment.add', protect).targetComment.assistant).toEqual({ name: 'Claude Code' });
    expect(dataOf('comment_annotation.suggestion_accept', protect)).toMatchObject({
      commentAnnotation: { decidedByAssistant: { suggestion: 'Claude Code' } },
    });
  }
});

test('data protection removes the findings, pages and summary of a run, and keeps their counts', () => {
  const { sample } = describeEvent('agent_execution.completed');
  const resultsSummary = {
    totalFindings: 2,
    severityCounts: { high: 2, [CANARY]: 1 },
    erroredUrls: [{ url: CANARY, message: CANARY }],
    findings: [{ title: CANARY, description: CANARY, severity: 'high', url: CANARY }],
    summary: CANARY,
  };
  const error = { code: 'LLM_ERROR', message: CANARY, retryable: true };
  const data = { ...(sample.data as object), agentName: CANARY, seedUrl: CANARY, resultsSummary, error };
  const left = protectBody(JSON.stringify({ ...sample, data }));
  expect(left).not.toContain(CANARY);
  expect(JSON.parse(left).data).toMatchObject({
    resultsSummary: { totalFindings: 2, severityCounts: { high: 2 } },
    error: { code: 'LLM_ERROR', retryable: true },
  });
});

test('data protection removes a record with text where an id or a list of ids belongs', () => {
  const { sample } = describeEvent('comment.add');
  const data = {
    ...(sample.data as object),
    actionUser: [{ userId: { name: CANARY } }, CANARY, [CANARY]],
    visibility: { type: 'restricted', userIds: [{ name: CANARY }, 'ann'] },
  };
  const left = protectBody(JSON.stringify({ ...sample, data }));
  expect(left).not.toContain(CANARY);
  expect(JSON.parse(left).data.visibility).toEqual({ type: 'restricted', userIds: ['ann'] });
});
