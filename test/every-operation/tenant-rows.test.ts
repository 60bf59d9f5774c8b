import { expect, test } from 'vitest';
import { newWorkspace, send } from '../service/harness.ts';
import { copyRows, differences, fingerprint, saveRows, writesSoFar, writtenBetween } from './tenant-rows.ts';

test('changes of a tenant are reported by table and tenant, and can be restored', async () => {
  const tenants = [await newWorkspace(), await newWorkspace()];
  const [first, second] = tenants as [(typeof tenants)[0], (typeof tenants)[0]];
  const documents = [{ documentId: 'home', documentName: 'Home' }];
  await first.must('/v2/organizations/documents/add', { organizationId: 'acme', documents });
  await second.must('/v2/organizations/documents/add', { organizationId: 'acme', documents });
  await first.must('/v2/agents/create', { name: 'A' });
  const saved = await saveRows(tenants);

  const before = await writesSoFar();
  await first.must('/v2/organizations/documents/get', { organizationId: 'acme' });
  expect(writtenBetween(before, await writesSoFar())).toEqual([]);

  await first.must('/v2/organizations/delete', { organizationIds: ['acme'] });
  await first.postAsWorkspace('/v2/workspace/apikey/create', {
    ownerEmail: 'jane@example.com',
    type: 'testing',
  });
  const changed = await saved.changes();
  const written = writtenBetween(before, await writesSoFar());
  expect(await saved.changes(written)).toEqual(changed);
  expect(await saved.changes(['agents'])).toEqual([]);
  expect(changed).toEqual(
    expect.arrayContaining([
      `api_keys ${first.workspaceId}`,
      `documents ${first.apiKeyId}`,
      `organizations ${first.apiKeyId}`,
    ]),
  );
  expect(changed.filter((key) => key.endsWith(second.apiKeyId) || key.endsWith(second.workspaceId))).toEqual(
    [],
  );

  await saved.restore(changed);
  expect(await saved.changes()).toEqual([]);
  expect(await first.must('/v2/organizations/documents/get', { organizationId: 'acme' })).toHaveLength(1);
});

test('copied rows give a tenant the same ids, and replace none of its own rows', async () => {
  const [first, second] = [await newWorkspace(), await newWorkspace()];
  const { agentId } = await first.must('/v2/agents/create', { name: 'Mine' });
  const own = await second.must('/v2/agents/create', { name: 'Theirs' });
  const before = await fingerprint([first]);
  await copyRows(first, second);
  expect(differences(before, await fingerprint([first]))).toEqual([]);
  expect((await second.must('/v2/agents/get', { agentId })).agent.name).toBe('Mine');
  expect((await second.must('/v2/agents/get', own)).agent.name).toBe('Theirs');
  const mixed = { ...first.keyHeaders, 'x-service-api-key': second.apiKeyId };
  expect((await send('/v2/agents/get', { data: {} }, mixed)).status).toBe(401);
});
