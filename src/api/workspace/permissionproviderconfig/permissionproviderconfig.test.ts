import { expect, test } from 'vitest';
import { newWorkspace, type TestWorkspace } from '../../../../test/service/harness.ts';

const PATH = '/v2/workspace/permissionproviderconfig';
const update = (workspace: TestWorkspace, data: object) => workspace.post(`${PATH}/update`, data);
const get = async (workspace: TestWorkspace) => (await workspace.post(`${PATH}/get`)).body.result;

test('there is no provider by default', async () => {
  expect(await get(await newWorkspace())).toEqual({
    status: 'success',
    message: 'Permission provider configuration retrieved successfully.',
    data: {
      usePermissionProvider: false,
      permissionProviderConfig: { permissionProviderUrl: '', authToken: '' },
    },
  });
});

test('fields are changed one by one, the token is never returned, and an empty URL removes it', async () => {
  const workspace = await newWorkspace();
  const permissionProviderConfig = { permissionProviderUrl: 'https://example.com/may', authToken: 'canary' };
  const { body } = await update(workspace, { permissionProviderConfig });
  expect(JSON.stringify(body)).not.toContain('canary');
  await update(workspace, { usePermissionProvider: true });
  expect((await get(workspace)).data).toEqual({
    usePermissionProvider: true,
    permissionProviderConfig: { permissionProviderUrl: 'https://example.com/may', authToken: '__redacted__' },
  });
  await update(workspace, { permissionProviderConfig: { permissionProviderUrl: '', authToken: '' } });
  expect((await get(workspace)).data).toEqual({
    usePermissionProvider: true,
    permissionProviderConfig: { permissionProviderUrl: '', authToken: '' },
  });
});

test('what is no URL for http is refused', async () => {
  const workspace = await newWorkspace();
  for (const permissionProviderUrl of ['ftp://example.com', 'example', 'javascript:alert(1)', 7])
    expect(
      (await update(workspace, { permissionProviderConfig: { permissionProviderUrl } })).body.error,
    ).toMatchObject({ status: 'INVALID_ARGUMENT', message: 'Please enter a valid URL' });
});

test('an address within the network, or with a password, is refused', async () => {
  const workspace = await newWorkspace();
  for (const [permissionProviderUrl, message] of [
    [
      'http://169.254.169.254/latest',
      'leads to an address that is not allowed: internal, loopback and link-local hosts are refused. The operator of the service allows one with `redpen allow-host 169.254.169.254:80` or REDPEN_ALLOW_HOSTS.',
    ],
    ['https://jane:pass@example.com/may', 'must not contain a user name or password.'],
  ]) {
    const data = { usePermissionProvider: true, permissionProviderConfig: { permissionProviderUrl } };
    expect((await update(workspace, data)).body.error).toMatchObject({
      status: 'INVALID_ARGUMENT',
      message: `permissionProviderConfig.permissionProviderUrl ${message}`,
    });
  }
  expect((await get(workspace)).data).toEqual({
    usePermissionProvider: false,
    permissionProviderConfig: { permissionProviderUrl: '', authToken: '' },
  });
});

test('an empty update is refused', async () => {
  expect((await update(await newWorkspace(), {})).body.error.status).toBe('INVALID_ARGUMENT');
});
