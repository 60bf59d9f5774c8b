import { expect, test } from 'vitest';
import { newWorkspace, send } from '../harness.ts';
import { copyRows, differences, fingerprint, saveRows, writesSoFar, writtenBetween } from './tenant-rows.ts';

test('what a tenant changed is told by table and tenant, and goes back', async () => {
  const tenants = [await newWorkspace(), await newWorkspace()];
  const [one, other] = tenants as [(typeof tenants)[0], (typeof tenants)[0]];
  const documents = [{ documentId: 'home', documentName: 'Home' }];
  await one.must('/v2/organizations/documents/add', { organizationId: 'acme', documents });
  await other.must('/v2/organizations/documents/add', { organizationId: 'acme', documents });
  await one.must('/v2/agents/create', { name: 'A' });
  const saved = await saveRows(tenants);

  const before = await writesSoFar();
  await one.must('/v2/organizations/documents/get', { organizationId: 'acme' });
  expect(writtenBetween(before, await writesSoFar())).toEqual([]);

  await one.must('/v2/organizations/delete', { organizationIds: ['acme'] });
  await one.postAsWorkspace('/v2/workspace/apikey/create', {
    ownerEmail: 'jane@example.com',
    type: 'testing',
  });
  const changed = await saved.changes();
  const written = writtenBetween(before, await writesSoFar());
  expect(await saved.changes(written)).toEqual(changed);
  expect(await saved.changes(['agents'])).toEqual([]);
  expect(changed).toEqual(
    expect.arrayContaining([
      `api_keys ${one.workspaceId}`,
      `documents ${one.apiKeyId}`,
      `organizations ${one.apiKeyId}`,
    ]),
  );
  expect(changed.filter((key) => key.endsWith(other.apiKeyId) || key.endsWith(other.workspaceId))).toEqual(
    [],
  );

  await saved.restore(changed);
  expect(await saved.changes()).toEqual([]);
  expect(await one.must('/v2/organizations/documents/get', { organizationId: 'acme' })).toHaveLength(1);
});

test('a copy gives a tenant the same ids, and takes nothing from it', async () => {
  const [one, other] = [await newWorkspace(), await newWorkspace()];
  const { agentId } = await one.must('/v2/agents/create', { name: 'Mine' });
  const own = await other.must('/v2/agents/create', { name: 'Theirs' });
  const before = await fingerprint([one]);
  await copyRows(one, other);
  expect(differences(before, await fingerprint([one]))).toEqual([]);
  expect((await other.must('/v2/agents/get', { agentId })).agent.name).toBe('Mine');
  expect((await other.must('/v2/agents/get', own)).agent.name).toBe('Theirs');
  const mixed = { ...one.keyHeaders, 'x-service-api-key': other.apiKeyId };
  expect((await send('/v2/agents/get', { data: {} }, mixed)).status).toBe(401);
});
