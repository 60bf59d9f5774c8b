import { expect, test } from 'vitest';
import { newWorkspace, type TestWorkspace, testApp } from '../../../../test/service/harness.ts';

const PATH = '/v2/workspace/emailconfig';
const defaults = {
  type: 'default',
  apiKey: '',
  fromEmail: '',
  fromCompany: '',
  commentTemplateId: '',
  tagTemplateId: '',
};
const update = (workspace: TestWorkspace, data: object) => workspace.must(`${PATH}/update`, data);

test('mail is off by default', async () => {
  const workspace = await newWorkspace();
  expect(await workspace.must(`${PATH}/get`)).toEqual({
    useEmailService: false,
    emailServiceConfig: defaults,
  });
});

test('enabling mail without chosen events selects the usual ones', async () => {
  const workspace = await newWorkspace();
  const { body } = await workspace.post(`${PATH}/update`, {
    useEmailService: true,
    emailServiceConfig: { fromCompany: 'Acme', triggers: { 'comment.add': false } },
  });
  expect(body.result.data).toMatchObject({
    useEmailService: true,
    emailServiceConfig: {
      ...defaults,
      type: 'custom',
      fromCompany: 'Acme',
      triggers: { 'comment.add': false, 'comment_annotation.assign': true, 'huddle.create': true },
    },
  });
  expect((await workspace.must(`${PATH}/get`)).emailServiceConfig).toEqual(
    body.result.data.emailServiceConfig,
  );
});

test('enabling mail keeps chosen events and omitted fields', async () => {
  const workspace = await newWorkspace();
  await update(workspace, { emailServiceConfig: { type: 'sendgrid', triggers: { 'comment.add': true } } });
  expect(await update(workspace, { useEmailService: true })).toEqual({
    useEmailService: true,
    emailServiceConfig: { ...defaults, type: 'sendgrid', triggers: { 'comment.add': true } },
  });
});

test('a key is never returned; redacted keeps it, empty removes it', async () => {
  const workspace = await newWorkspace();
  const { deps } = await testApp();
  const stored = async () => {
    const row = await deps.db
      .selectFrom('serviceConfigs')
      .selectAll()
      .where('apiKeyId', '=', workspace.apiKeyId)
      .executeTakeFirstOrThrow();
    expect(JSON.stringify(row)).not.toContain('canary');
    return (
      row.secretSealed &&
      deps.keyring.open(row.secretSealed, ['service_configs', workspace.apiKeyId, 'email'])
    );
  };
  const answer = await update(workspace, { emailServiceConfig: { apiKey: 'canary-1' } });
  expect(answer.emailServiceConfig.apiKey).toBe('__redacted__');
  expect(await stored()).toBe('canary-1');
  await update(workspace, { emailServiceConfig: { ...answer.emailServiceConfig, fromCompany: 'Acme' } });
  expect(await stored()).toBe('canary-1');
  const without = await update(workspace, { emailServiceConfig: { apiKey: '' } });
  expect([without.emailServiceConfig.apiKey, await stored()]).toEqual(['', null]);
});

test('settings that are sent with a new key are applied', async () => {
  const workspace = await newWorkspace();
  const created = await workspace.postAsWorkspace('/v2/workspace/apikey/create', {
    ownerEmail: 'rob@example.com',
    type: 'testing',
    useEmailService: true,
    emailServiceConfig: { type: 'sendgrid', apiKey: 'canary', fromEmail: 'a@example.com' },
    useNotificationService: false,
    setDefaultNotificationTriggers: true,
  });
  const { apiKey } = created.body.result.data;
  const shown = await workspace.postAsWorkspace('/v2/workspace/authtokens/get', { apiKey });
  const [{ token }] = shown.body.result.data.authTokens;
  const headers = { 'x-service-api-key': apiKey, 'x-service-auth-token': token };
  const mail = await workspace.post(`${PATH}/get`, {}, headers);
  expect(mail.body.result.data).toMatchObject({
    useEmailService: true,
    emailServiceConfig: {
      type: 'sendgrid',
      apiKey: '__redacted__',
      fromEmail: 'a@example.com',
      triggers: { 'comment.add': true },
    },
  });
  const notifications = await workspace.post('/v2/workspace/notificationconfig/get', {}, headers);
  expect(notifications.body.result.data).toMatchObject({
    useNotificationService: false,
    notificationServiceConfig: { triggers: { comment: { 'comment.add': true } } },
  });
});

test('concurrent changes are all kept', async () => {
  const workspace = await newWorkspace();
  await Promise.all([
    update(workspace, { emailServiceConfig: { fromCompany: 'Acme' } }),
    update(workspace, { emailServiceConfig: { fromEmail: 'a@example.com' } }),
    update(workspace, { useEmailService: false }),
  ]);
  expect((await workspace.must(`${PATH}/get`)).emailServiceConfig).toMatchObject({
    fromCompany: 'Acme',
    fromEmail: 'a@example.com',
  });
});

test('an update without a change, and one with a wrong address, have the same refusal', async () => {
  const workspace = await newWorkspace();
  for (const data of [{}, { other: 1 }, { emailServiceConfig: { fromEmail: 'not an address' } }])
    expect((await workspace.post(`${PATH}/update`, data)).body.error).toMatchObject({
      status: 'INVALID_ARGUMENT',
      message: 'Invalid email service configuration.',
    });
});
