import { expect, onTestFinished, test } from 'vitest';
import { newDatabase } from '../../test/database/new-database.ts';
import { testLog } from '../../test/run/log-watch.ts';
import { createUserTokens } from '../access/user-token.ts';
import type { Booted } from '../boot.ts';
import { readConfig } from '../config.ts';
import { createKeyring } from '../lib/crypto.ts';
import { listSigningKeys } from '../store/access/signing-keys.ts';
import { openForCheck } from './doctor/check-database.ts';
import { RECURRING } from './recurring-chores.ts';

const DAY_MS = 86_400_000;

test('the signing key is rotated by its age, which the audit log records, and never with 0 days', async () => {
  const { url, drop } = await newDatabase();
  onTestFinished(drop);
  const opened = await openForCheck(readConfig({ DATABASE_URL: url }));
  if (opened.kind !== 'open') throw new Error(JSON.stringify(opened));
  onTestFinished(() => opened.database.close());
  const { db } = opened.database;
  const keyring = createKeyring([Buffer.alloc(32, 1)]);
  await createUserTokens(db, keyring).publicKeys();
  const [first] = await listSigningKeys(db);

  const chore = RECURRING.find(({ name }) => name === 'signing key of user tokens')!;
  const run = (signingKeyDays: number, now: number) => {
    const deps: Partial<Booted> = { db, keyring, log: testLog };
    const settings = { signingKeyDays } as Booted['settings'];
    return chore.run({ ...deps, settings } as Booted, now);
  };
  const later = Date.now() + 91 * DAY_MS;
  await run(0, later);
  await run(90, Date.now() + 89 * DAY_MS);
  expect(await listSigningKeys(db)).toHaveLength(1);
  await run(90, later);
  const keys = await listSigningKeys(db);
  expect(keys.map(({ retiredAt }) => retiredAt !== null)).toEqual([false, true]);
  expect(keys[1]!.keyId).toBe(first!.keyId);
  const entries = await db.selectFrom('auditLog').selectAll().execute();
  expect(entries).toMatchObject([
    { action: 'signing_key.rotated', targetId: keys[0]!.keyId, via: 'REDPEN_SIGNING_KEY_DAYS' },
  ]);
});
