import { sql } from 'kysely';
import { Doc } from 'yjs';
import { md5 } from '../../src/lib/ids.ts';
import { compactDueIn, writeLive } from '../live/editor-rows.ts';
import { editor } from '../live/live-node.ts';
import { newWorkspace, type TestWorkspace, testApp } from '../service/harness.ts';

export const organizationId = 'acme';
export const place = { organizationId, documentId: 'home' };
export const ada = { userId: 'ada-7d1', name: 'Ada Xanthippe', email: 'ada-7d1@example.com' };
export const bo = { userId: 'bo', name: 'Bo', email: 'bo@example.com' };
export const traces = ['ada-7d1', 'Xanthippe', md5('ada-7d1')];

/** A workspace in which every kind of record that can refer to a user refers to Ada. */
export async function world(): Promise<TestWorkspace> {
  const workspace = await newWorkspace();
  const post = workspace.must;
  await post('/v2/workspace/activityconfig/update', { activityServiceConfig: { isEnabled: true } });
  await post('/v2/users/add', { organizationId, users: [ada, bo] });
  await post('/v2/users/add', { ...place, createDocument: true, users: [ada] });
  await post('/v2/organizations/usergroups/add', {
    organizationId,
    organizationUserGroups: [{ groupId: 'g' }],
  });
  await post('/v2/organizations/usergroups/users/add', {
    organizationId,
    organizationUserGroupId: 'g',
    userIds: [ada.userId, 'bo'],
  });
  const tagged = { userId: ada.userId, text: '@Ada Xanthippe', contact: ada };
  const by = (from: object, commentText: string, more: object = {}) => ({ from, commentText, ...more });
  await post('/v2/commentannotations/add', {
    ...place,
    commentAnnotations: [
      { annotationId: 'alone', commentData: [by(ada, 'mine'), by(ada, 'mine again')] },
      { annotationId: 'answered', commentData: [by(ada, 'first'), by(bo, 'an answer')] },
      {
        annotationId: 'of-bo',
        assignedTo: ada,
        visibility: { type: 'restricted', userIds: [ada.userId, 'bo'] },
        commentData: [
          by(bo, 'Hi @Ada Xanthippe, {{ada-7d1}}', { taggedUserContacts: [tagged] }),
          by(ada, 'hello'),
        ],
      },
      { annotationId: 'untouched', commentData: [by(bo, 'nothing to see')] },
    ],
  });
  const notify = (notificationId: string, actionUser: object, notifyUsers: object[], notifyAll = false) =>
    post('/v2/notifications/add', {
      ...place,
      notificationId,
      actionUser,
      notifyUsers,
      notifyAll,
      displayHeadlineMessageTemplate: '{actionUser} told {recipientUser}',
      displayHeadlineMessageTemplateData: { recipientUser: ada },
      displayBodyMessage: 'body',
    });
  await notify('to-ada', bo, [ada]);
  await notify('to-both', bo, [ada, bo]);
  await notify('by-ada', ada, [bo]);
  await notify('to-all', bo, [ada], true);
  await post('/v2/notifications/config/set', {
    organizationId,
    userIds: [ada.userId, 'bo'],
    config: { inbox: 'ALL' },
  });
  await post('/v2/activities/add', {
    ...place,
    activities: [
      {
        id: 'act',
        featureType: 'custom',
        actionType: 'x',
        actionUser: ada,
        targetEntityId: 't',
        displayMessageTemplateData: { actionUser: ada },
      },
    ],
  });
  await post('/v2/presence/add', { ...place, users: [ada, bo] });
  await post('/v2/livestate/broadcast', {
    ...place,
    liveStateDataId: 's',
    data: { leader: ada, seats: [ada, bo] },
  });
  const document = new Doc();
  const write = () =>
    writeLive(workspace, document, () => document.getText('content').insert(0, 'text '), ada);
  await write();
  await compactDueIn(6_000);
  await write();
  await post('/v2/crdt/snapshots/create', { ...editor, createdBy: ada.userId });
  return workspace;
}

/** Number of the tenant's rows that contain one of the texts, by table; tables without any are left out. */
export async function findTraces(workspace: TestWorkspace, texts: string[]): Promise<Record<string, number>> {
  const { deps } = await testApp();
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'api_key_id'
      and table_name not in (select relname from pg_class where relispartition)`.execute(deps.db);
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await sql<{ written: string }>`
      select cast(t as text) as written from ${sql.table(name)} as t
      where api_key_id = ${workspace.apiKeyId}`.execute(deps.db);
    const count = rows.filter(({ written }) => texts.some((text) => written.includes(text))).length;
    if (count > 0) found[name] = count;
  }
  return found;
}
