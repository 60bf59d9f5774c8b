import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newWorkspace, testApp } from '../../../test/service/harness.ts';
import { addTokenGrants, isInAudience } from '../../annotations/audience.ts';
import { json } from '../../db/sql-fragments.ts';
import type { Caller, TokenGrant } from '../../lib/scope.ts';
import { putGrants } from '../access/grants.ts';
import { loadReader } from '../access/visibility-sql.ts';
import { shownTo } from './annotation-filter.ts';
import { annotationKey, loadAudiences, loadReaderGrants } from './load-audiences.ts';

const place = { organizationId: 'acme', documentId: 'home' };
const OTHERS = ['beta', 'gamma'];

const userId = fc.constantFrom('reader', 'somebody', 'nobody');
const organizationId = fc.constantFrom(place.organizationId, ...OTHERS);
const pairs = fc.array(fc.constantFrom('team:red', 'team:blue', 'level:1', 'level:2', 'odd'), {
  maxLength: 3,
});
const visibility = fc.oneof(
  fc.constant(null),
  fc.constant({ type: 'public' }),
  fc.record({ type: fc.constant('restricted'), userIds: fc.array(userId, { maxLength: 2 }) }),
  fc.record(
    {
      type: fc.constant('organizationPrivate'),
      organizationId,
      organizationIds: fc.oneof(fc.array(organizationId, { maxLength: 2 }), fc.constant(null)),
    },
    { requiredKeys: ['type'] },
  ),
  fc.constant({ type: 'organizationPrivate', organizationId: null }),
  fc.constant({ type: 'restricted' }),
  fc.constant({ type: 'unheard-of' }),
);
const context = fc.oneof(
  fc.constant(undefined),
  fc.constant(null),
  fc.record({ accessFields: fc.oneof(pairs, fc.constant(null), fc.constant('team:red')) }),
);
const annotation = fc.record({ author: userId, visibility, context });
const grant = fc.record({
  organizationId,
  type: fc.constantFrom('organization' as const, 'document' as const),
  accessFields: fc.option(pairs, { nil: undefined }),
  expired: fc.boolean(),
});

test('the audience of an annotation is the users to whom lists show it', async () => {
  const { deps } = await testApp();
  const workspace = await newWorkspace();
  const { workspaceId, apiKeyId } = workspace;
  for (const id of [place.organizationId, ...OTHERS]) {
    await workspace.must('/v2/organizations/documents/add', {
      organizationId: id,
      createOrganization: true,
      documents: [{ documentId: 'home' }],
    });
  }
  const scenario = fc.tuple(
    fc.array(annotation, { minLength: 1, maxLength: 12 }),
    fc.array(grant, { maxLength: 3 }),
    fc.array(grant, { maxLength: 3 }),
  );
  await fc.assert(
    fc.asyncProperty(scenario, async ([annotations, stored, carried]) => {
      const expiresAt = (expired: boolean) => Date.now() + (expired ? -1_000 : 600_000);
      await deps.db.deleteFrom('annotations').where('apiKeyId', '=', apiKeyId).execute();
      await deps.db.deleteFrom('grants').where('apiKeyId', '=', apiKeyId).execute();
      const rows = annotations.map((one, index) => ({ id: `a${index}`, ...one }));
      await sql`
        insert into annotations (api_key_id, organization_id, document_id, annotation_id, annotation_number,
          author_id, status_id, visibility, body, created_at, last_updated)
        select ${apiKeyId}, ${place.organizationId}, ${place.documentId}, item ->> 'id', 1, item ->> 'author', 'OPEN',
          nullif(item -> 'visibility', 'null'), '{}'::jsonb ||
            case when item ? 'context' then jsonb_build_object('context', item -> 'context') else '{}' end, 1, 1
        from jsonb_array_elements(${json(rows)}) as item`.execute(deps.db);
      const idOf = (one: { type: string; organizationId: string }) =>
        one.type === 'organization' ? one.organizationId : 'home';
      await deps.db.transaction().execute((tx) =>
        putGrants(
          tx,
          workspace,
          stored.map((one) => ({
            organizationId: one.organizationId,
            resourceType: one.type,
            resourceId: idOf(one),
            userId: 'reader',
            accessRole: 'viewer',
            accessFields: one.accessFields,
            expiresAt: expiresAt(one.expired),
          })),
        ),
      );
      const resources = carried.map(
        (one): TokenGrant => ({
          type: one.type,
          id: idOf(one),
          organizationId: one.organizationId,
          accessRole: 'viewer',
          accessFields: one.accessFields,
          expiresAt: expiresAt(one.expired),
        }),
      );
      const user = {
        userId: 'reader',
        name: '',
        email: '',
        isAdmin: false,
        resources,
        expiresAt: expiresAt(false),
      };
      const caller: Caller = { workspaceId, apiKeyId, user };
      const reader = await loadReader(deps.db, caller, place.organizationId);
      const shown = await deps.db
        .selectFrom('annotations')
        .select('annotationId')
        .where('apiKeyId', '=', apiKeyId)
        .where(shownTo(reader))
        .execute();

      const keys = rows.map(({ id }) => ({ documentId: place.documentId, annotationId: id }));
      const found = await loadAudiences(deps.db, caller, place.organizationId, keys);
      const holdings = await loadReaderGrants(deps.db, caller, place.organizationId, ['reader', 'nobody']);
      const held = addTokenGrants(holdings.get('reader')!, user, place.organizationId, Date.now());
      const reached = keys.filter((key) =>
        isInAudience(found.get(annotationKey(key))!, place.organizationId, 'reader', held),
      );
      expect(reached.map(({ annotationId }) => annotationId).sort()).toEqual(
        shown.map(({ annotationId }) => annotationId).sort(),
      );
      expect(holdings.get('nobody')).toEqual({ organizationIds: [], accessFields: [] });
    }),
    { numRuns: 60 },
  );
});

test('a missing annotation has no audience', async () => {
  const { deps } = await testApp();
  const workspace = await newWorkspace();
  const none = { documentId: 'home', annotationId: 'none' };
  expect((await loadAudiences(deps.db, workspace, 'acme', [none])).size).toBe(0);
});
