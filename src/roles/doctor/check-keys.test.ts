import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../../test/database/new-database.ts';
import { rotateOldSigningKey } from '../../access/user-token.ts';
import { readConfig } from '../../config.ts';
import { createKeyring } from '../../lib/crypto.ts';
import { listKeyAges } from '../../store/keys/key-ages.ts';
import { checkKeyring } from '../../store/keys/key-checks.ts';
import { createWorkspace } from '../../store/platform/create-workspace.ts';
import { openForCheck } from './check-database.ts';
import { checkKeys } from './check-keys.ts';

const DAY_MS = 86_400_000;
const settings = { REDPEN_KEY_AGE_WARNING: 365, REDPEN_SIGNING_KEY_DAYS: 90 };

async function openNewDatabase() {
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  const opened = await openForCheck(readConfig({ DATABASE_URL: url }));
  if (opened.kind !== 'open') throw new Error(JSON.stringify(opened));
  onTestFinished(() => opened.database.close());
  return opened.database;
}

test('the ages of all keys are judged, and old ones get their command', async () => {
  const database = await openNewDatabase();
  const { db } = database;
  const keyring = createKeyring([Buffer.alloc(32, 1)]);
  expect(await checkKeys(database, settings, Date.now())).toMatchObject({ status: 'skipped' });
  await checkKeyring(db, keyring);
  await db
    .transaction()
    .execute((tx) => createWorkspace(tx, keyring, { ownerEmail: 'ada@example.com' }, 'free'));
  const now = Date.now();
  expect(await checkKeys(database, settings, now)).toEqual({
    status: 'ok',
    found: 'Days since the oldest keys were made: master key 0, workspace token 0, API key token 0.',
  });
  const later = now + 400 * DAY_MS;
  const old = await checkKeys(database, settings, later);
  expect(old.status).toBe('warning');
  expect(old.found).toContain('The master key is 400 days old.');
  expect(old.found).toContain('1 API key token is more than 365 days old, the oldest 400 days.');
  expect(old.advice).toContain('redpen keys rotate --new.');
  expect(old.advice).toContain('redpen key rotate KEY.');
  await db
    .insertInto('webhookEndpoints')
    .columns([
      'apiKeyId',
      'endpointId',
      'workspaceId',
      'kind',
      'url',
      'disabled',
      'secretSealed',
      'createdAt',
      'updatedAt',
    ])
    .expression((of) =>
      of
        .selectFrom('apiKeys')
        .select((eb) => [
          'apiKeyId',
          eb.val('ep_1').as('endpointId'),
          'workspaceId',
          eb.val('endpoint').as('kind'),
          eb.val('https://hooks.example.com/').as('url'),
          eb.val(false).as('disabled'),
          eb.val('sealed').as('secretSealed'),
          'createdAt',
          eb.val(now).as('updatedAt'),
        ]),
    )
    .execute();
  for (const [days, listed] of [
    [90, '90d'],
    [3_650, '365d'],
  ] as const) {
    const { advice } = await checkKeys(database, { ...settings, REDPEN_KEY_AGE_WARNING: days }, later * 2);
    expect(advice).toContain(`redpen webhook list --older-than ${listed} lists them.`);
  }
  const silent = { ...settings, REDPEN_KEY_AGE_WARNING: 0 };
  expect(await checkKeys(database, silent, later)).toMatchObject({ status: 'ok' });

  // The next key seals, and nothing has been sealed again.
  await checkKeyring(db, createKeyring([Buffer.alloc(32, 2), Buffer.alloc(32, 1)]));
  const during = await checkKeys(database, settings, now);
  expect(during).toMatchObject({ status: 'warning', advice: expect.stringContaining('redpen keys rotate.') });
  expect(during.found).toContain(`the earlier master key ${keyring.currentKeyId}`);
});

test('the signing key is rotated when it is old, by one of several processes', async () => {
  const database = await openNewDatabase();
  const { db } = database;
  const keyring = createKeyring([Buffer.alloc(32, 1)]);
  const recorded: string[] = [];
  const rotate = (madeBefore: number) =>
    rotateOldSigningKey(db, keyring, madeBefore, async (_tx, keyId) => {
      recorded.push(keyId);
    });
  // A service makes its first key when it needs one.
  expect(await rotate(Date.now() + DAY_MS)).toBeUndefined();
  const { createUserTokens } = await import('../../access/user-token.ts');
  const tokens = createUserTokens(db, keyring);
  const claims = { userId: 'ada', name: 'Ada', email: '', isAdmin: false, resources: [] };
  const earlier = await tokens.sign('key', 'auth', claims);
  expect(await rotate(Date.now() - DAY_MS)).toBeUndefined();
  const made = Date.now() - 91 * DAY_MS;
  await db.updateTable('signingKeys').set({ createdAt: made }).execute();
  expect(await checkKeys(database, settings, Date.now() + 2 * DAY_MS)).toMatchObject({
    status: 'warning',
    found: expect.stringContaining('REDPEN_SIGNING_KEY_DAYS is 90'),
  });
  const results = await Promise.all(Array.from({ length: 5 }, () => rotate(Date.now() - 90 * DAY_MS)));
  expect(results.filter((keyId) => keyId !== undefined)).toEqual(recorded);
  expect(recorded).toHaveLength(1);
  const after = createUserTokens(db, keyring);
  expect(await after.verify(earlier)).toMatchObject({ user: { userId: 'ada' } });
  expect(await after.verify(await after.sign('key', 'auth', claims))).toMatchObject({ authTokenId: 'auth' });
  const [age] = (await listKeyAges(db, 0)).filter(({ kind }) => kind === 'signing_key');
  expect(age!.oldestAt).toBeGreaterThan(made);
});
