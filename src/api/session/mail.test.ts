import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { type SmtpFake, startSmtpFake } from '../../../test/fakes/smtp-server.ts';
import { cookieOf, SAME_ORIGIN } from '../../../test/people/console-session.ts';
import { addMember } from '../../../test/people/members.ts';
import { newWorkspace, type Reply, send, testApp } from '../../../test/service/harness.ts';
import { sha256 } from '../../lib/crypto.ts';
import { randomId } from '../../lib/ids.ts';
import { mailInvitation, mailSignIn } from '../../notifications/sign-in-mails.ts';
import { createMail } from '../../outside/mail/create-mail.ts';
import { accountOfEmail } from '../../store/identity/accounts.ts';
import { addMember as join } from '../../store/identity/members.ts';

const refusalOf = ({ status, body }: Reply) => [status, body.error?.status];
const newEmail = () => `${randomId(10)}@example.com`;

/** The headers of a client at an address; by default at the one of the tests. */
const from = (address?: string): Record<string, string> =>
  address === undefined ? {} : { 'x-forwarded-for': address };
const enter = (email: string, code: string, address?: string) =>
  send('/v2/session/start', { data: { email, code } }, from(address));
const otherThan = (digits: string): string => (digits === '000000' ? '000001' : '000000');

/** A mail server, and the jobs for an address or workspace as a worker would run them. */
async function stage() {
  const { deps } = await testApp();
  const server: SmtpFake = await startSmtpFake();
  const mail = createMail({
    smtpUrl: `smtp://127.0.0.1:${server.port}`,
    from: 'redpen@example.com',
    fetch: deps.outside.fetch,
    sendgridUrl: 'http://127.0.0.1:9',
    timeoutMs: 60_000,
  });
  onTestFinished(async () => {
    mail.close();
    await server[Symbol.asyncDispose]();
  });
  const { db, keyring, log } = deps;
  const own = { db, keyring, log, outside: { mail } };
  const jobsOf = async <T>(name: string, field: string, value: string): Promise<T[]> => {
    const { rows } = await sql<{ data: T }>`select data from jobs.job
      where name = ${name} and data ->> ${field} = ${value} order by created_on`.execute(db);
    return rows.map(({ data }) => data);
  };
  /** Jobs that are done, by address. */
  const sent = new Map<string, number>();
  return {
    server,
    /** Asks for a mail, and sends it if one is queued. */
    async ask(email: string, address?: string): Promise<Reply> {
      const reply = await send('/v2/session/mail', { data: { email } }, { ...SAME_ORIGIN, ...from(address) });
      const queued = await jobsOf<Parameters<typeof mailSignIn>[1]>('session.mail', 'email', email);
      for (const payload of queued.slice(sent.get(email) ?? 0)) await mailSignIn(own, payload);
      sent.set(email, queued.length);
      return reply;
    },
    async invite(workspaceId: string): Promise<void> {
      const jobs = await jobsOf<Parameters<typeof mailInvitation>[1]>(
        'member.invitation',
        'workspaceId',
        workspaceId,
      );
      for (const payload of jobs) await mailInvitation(own, payload);
    },
    countOf: async (email: string) => (await jobsOf('session.mail', 'email', email)).length,
  };
}

/** The link and the digits in the latest mail. */
function readMail({ received }: SmtpFake): { code: string; digits: string } {
  const text = received.at(-1)!.raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  return {
    code: /http:\/\/localhost:80\/console#code=([\w-]+)/.exec(text)![1]!,
    digits: /the code (\d{6})/.exec(text)?.[1] ?? '',
  };
}

/** An account with a proved address in a workspace of its own. */
async function newPerson() {
  const { deps } = await testApp();
  const { workspaceId } = await newWorkspace();
  const email = newEmail();
  const { accountId } = await deps.db.transaction().execute(async (tx) => {
    const account = await accountOfEmail(tx, email, 'Ann');
    await join(tx, { workspaceId, accountId: account.accountId, role: 'editor' });
    return account;
  });
  return { email, accountId };
}

test('a mailed link signs in once, and so do its digits with the address', async () => {
  const { server, ask } = await stage();
  const { email, accountId } = await newPerson();
  expect((await ask(email)).status).toBe(200);
  expect(server.received.map(({ to }) => to)).toEqual([[email]]);
  const { code, digits } = readMail(server);
  const byLink = await send('/v2/session/start', { data: { code } });
  expect(byLink.body.result.data.account).toMatchObject({ accountId, name: 'Ann', email });
  const later = await send('/v2/session/start', { data: { email, code: digits } });
  expect(refusalOf(later)).toEqual([401, 'UNAUTHENTICATED']);
  await ask(email);
  const again = readMail(server);
  const byDigits = await send('/v2/session/start', {
    data: { email: email.toUpperCase(), code: again.digits },
  });
  expect(byDigits.body.result.data.account.accountId).toBe(accountId);
  expect((await send('/v2/session/start', { data: { code: again.code } })).status).toBe(401);
});

test('the answer is the same for an unknown address, which gets no mail', async () => {
  const { server, ask } = await stage();
  const { email } = await newPerson();
  const [known, unknown] = [await ask(email), await ask(newEmail())];
  expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
  expect(server.received).toHaveLength(1);
});

test('no mail leads to a host that a proxy passes on from a stranger', async () => {
  const { ask, countOf } = await stage();
  const { email } = await newPerson();
  const headers = { ...SAME_ORIGIN, 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
  const refused = await send('/v2/session/mail', { data: { email } }, headers);
  expect(refusalOf(refused)).toEqual([400, 'FAILED_PRECONDITION']);
  expect(await countOf(email)).toBe(0);
  expect((await ask(email)).status).toBe(200);
});

test('a network gets at most five mails an hour sent to an address, with the same answer', async () => {
  const { ask, countOf } = await stage();
  const { email } = await newPerson();
  for (let count = 0; count < 7; count++) expect((await ask(email)).status).toBe(200);
  expect(await countOf(email)).toBe(5);
});

test('invitations are mailed to an address at most five times an hour, whatever workspace invites', async () => {
  const { deps } = await testApp();
  const email = newEmail();
  const workspaces = [await newWorkspace(), await newWorkspace()];
  for (let count = 0; count < 4; count++) {
    for (const w of workspaces) {
      const { body } = await w.postAsWorkspace('/v2/members/invite', { email, role: 'viewer' });
      expect(body.result.data.url).toContain('#code=rpi_');
    }
  }
  const { rows } = await sql`select from jobs.job where name = 'member.invitation'
    and data ->> 'workspaceId' in (${sql.join(workspaces.map(({ workspaceId }) => workspaceId))})`.execute(
    deps.db,
  );
  expect(rows).toHaveLength(5);
});

test('tries of digits are counted for every address, known or not', async () => {
  const { deps } = await testApp();
  const { server, ask } = await stage();
  const [{ email }, unknown] = [await newPerson(), newEmail()];
  await ask(email);
  const tryOf = (to: string, code: string) => send('/v2/session/start', { data: { email: to, code } });
  const [wrong, none] = [await tryOf(email, 'wrong'), await tryOf(unknown, 'wrong')];
  expect([none.status, none.body]).toEqual([wrong.status, wrong.body]);
  const buckets = [email, unknown].map((one) => `session.digits ${sha256(one.toLowerCase())} 127.0.0.1`);
  const counters = deps.db.selectFrom('rateCounters').select('used').where('bucket', 'in', buckets);
  expect(await counters.execute()).toEqual([{ used: 1 }, { used: 1 }]);
  await deps.db.updateTable('rateCounters').set({ used: 25 }).where('bucket', 'in', buckets).execute();
  const { digits } = readMail(server);
  expect(refusalOf(await tryOf(email, digits))).toEqual([401, 'UNAUTHENTICATED']);
});

test('five wrong digits make a mailed code void', async () => {
  const { server, ask } = await stage();
  const { email } = await newPerson();
  await ask(email);
  const { digits } = readMail(server);
  const wrong = otherThan(digits);
  for (let count = 0; count < 5; count++) {
    const reply = await send('/v2/session/start', { data: { email, code: wrong } });
    expect(refusalOf(reply)).toEqual([401, 'UNAUTHENTICATED']);
  }
  expect((await send('/v2/session/start', { data: { email, code: digits } })).status).toBe(401);
});

test('a later mail makes the earlier one void, and so does time', async () => {
  const { deps } = await testApp();
  const { server, ask } = await stage();
  const { email } = await newPerson();
  await ask(email);
  const first = readMail(server);
  await ask(email);
  expect((await send('/v2/session/start', { data: { code: first.code } })).status).toBe(401);
  const second = readMail(server);
  const link = await deps.db
    .updateTable('signInLinks')
    .set({ expiresAt: Date.now() - 1 })
    .where('emailKey', '=', email.toLowerCase())
    .returning(['createdAt', 'digitsHash'])
    .executeTakeFirstOrThrow();
  expect(link.digitsHash).not.toContain(second.digits);
  expect((await send('/v2/session/start', { data: { code: second.code } })).status).toBe(401);
  expect((await send('/v2/session/start', { data: { email, code: second.digits } })).status).toBe(401);
});

test('mail proves the address of an invited account, and ends what others had of it', async () => {
  const { server, ask } = await stage();
  const w = await newWorkspace();
  const email = newEmail();
  const { session } = await addMember(w, 'viewer', 'Guest', email);
  await ask(email);
  const reply = await send('/v2/session/start', { data: { code: readMail(server).code } });
  expect(reply.body.result.data.account.accountId).toBe(session.data.account.accountId);
  expect((await session.post('/v2/agents/get')).status).toBe(401);
});

test('the mailed link of an invitation makes an account of the address', async () => {
  const { server, ask, invite } = await stage();
  const w = await newWorkspace();
  const email = newEmail();
  await w.postAsWorkspace('/v2/members/invite', { email, role: 'viewer' });
  await invite(w.workspaceId);
  expect(server.received.map(({ to }) => to)).toEqual([[email]]);
  const joined = await send('/v2/session/start', { data: { code: readMail(server).code } });
  expect(joined.body.result.data.workspaces).toMatchObject([{ workspaceId: w.workspaceId, role: 'viewer' }]);
  const refused = await w.postAsWorkspace('/v2/members/invite', { email, role: 'owner' });
  expect(refusalOf(refused)).toEqual([409, 'ALREADY_EXISTS']);
  await ask(email);
  const again = await send('/v2/session/start', { data: { code: readMail(server).code } });
  expect(again.body.result.data.account).toEqual(joined.body.result.data.account);
});

test('an invitation, which may be passed on, enters no account that is there: its owner signs in first', async () => {
  const { server, ask, invite } = await stage();
  const w = await newWorkspace();
  const { email, accountId } = await newPerson();
  await w.postAsWorkspace('/v2/members/invite', { email, role: 'viewer' });
  await invite(w.workspaceId);
  const { code } = readMail(server);
  const refused = await send('/v2/session/start', { data: { code } });
  expect(refusalOf(refused)).toEqual([400, 'FAILED_PRECONDITION']);
  await ask(email);
  const signedIn = await send('/v2/session/start', { data: { code: readMail(server).code } });
  const headers = { ...SAME_ORIGIN, cookie: cookieOf(signedIn) };
  const joined = await send('/v2/session/start', { data: { code } }, headers);
  expect(joined.body.result.data.account.accountId).toBe(accountId);
  expect(joined.body.result.data.workspaces.map((one: { role: string }) => one.role).sort()).toEqual([
    'editor',
    'viewer',
  ]);
});

test('a name that looks like an address becomes no link in the mail', async () => {
  const { server, invite } = await stage();
  const w = await newWorkspace();
  const { session } = await addMember(w, 'owner', 'https://evil.example/login');
  // What addMember has mailed is of an invitation that is used.
  await session.postAsWorkspace('/v2/members/invite', { email: newEmail(), role: 'viewer' });
  await invite(w.workspaceId);
  const { raw } = server.received.at(-1)!;
  const text = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
  expect(text).toContain('https://evil.example/login invites you');
  expect(text.match(/href="[^"]*"/g)).toEqual([
    expect.stringMatching(/^href="http:\/\/localhost:80\/console#code=rpi_[\w-]{43}"$/),
  ]);
});

test('a stranger with an address uses up neither the mails nor the digits of its owner', async () => {
  const { deps } = await testApp();
  const { server, ask } = await stage();
  const { email, accountId } = await newPerson();
  const [own, stranger, phone] = ['198.51.100.1', '203.0.113.1', '198.51.100.9'];
  for (let count = 0; count < 6; count++) await ask(email, stranger);
  expect(server.received).toHaveLength(5);
  await deps.db
    .updateTable('rateCounters')
    .set({ used: 1 })
    .where('bucket', '=', `session.mailed ${sha256(email.toLowerCase())}`)
    .execute();
  await ask(email, own);
  const mine = readMail(server);
  await ask(email, '203.0.113.2');
  for (let count = 0; count < 30; count++) await enter(email, otherThan(mine.digits), stranger);
  // All of the others' tries of these digits are used up, and those where they were asked for are not.
  expect((await enter(email, mine.digits, phone)).status).toBe(401);
  const signedIn = await enter(email, mine.digits, own);
  expect(signedIn.body.result.data.account.accountId).toBe(accountId);
});

test('digits sign in from another network, and are void there after five wrong ones', async () => {
  const { server, ask } = await stage();
  const { email } = await newPerson();
  await ask(email, '198.51.100.1');
  const first = readMail(server);
  expect((await enter(email, first.digits, '198.51.100.2')).status).toBe(200);
  await ask(email, '198.51.100.1');
  const second = readMail(server);
  for (let count = 0; count < 5; count++) {
    await enter(email, otherThan(second.digits), `198.51.100.${10 + count}`);
  }
  expect((await enter(email, second.digits, '198.51.100.2')).status).toBe(401);
  expect(
    (await send('/v2/session/start', { data: { code: second.code } }, from('198.51.100.2'))).status,
  ).toBe(200);
});

test('mails for many networks have no digits, end at a number, and go on where the person is signed in', async () => {
  const { deps } = await testApp();
  const { server, ask } = await stage();
  const { email } = await newPerson();
  const [own, later] = ['198.51.100.1', '198.51.100.2'];
  await ask(email, own);
  expect((await enter(email, readMail(server).digits, own)).status).toBe(200);
  const used = (count: number) =>
    deps.db
      .updateTable('rateCounters')
      .set({ used: count })
      .where('bucket', '=', `session.mailed ${sha256(email.toLowerCase())}`)
      .execute();
  await used(5);
  await ask(email, later);
  const { code, digits } = readMail(server);
  expect(digits).toBe('');
  expect((await send('/v2/session/start', { data: { code } }, from(later))).status).toBe(200);
  await used(30);
  await ask(email, '203.0.113.1');
  expect(server.received).toHaveLength(2);
  await ask(email, own);
  expect(server.received).toHaveLength(3);
  expect(readMail(server).digits).toMatch(/^\d{6}$/);
});

test('mail opens no workspace that was only registered under its address', async () => {
  const { server, ask, countOf } = await stage();
  const [registered, other] = [await newWorkspace(), await newWorkspace()];
  await ask(registered.email);
  expect([await countOf(registered.email), server.received]).toEqual([1, []]);
  await addMember(other, 'viewer', 'Guest', registered.email);
  await ask(registered.email);
  const { body } = await send('/v2/session/start', { data: { code: readMail(server).code } });
  expect(body.result.data.workspaces).toMatchObject([{ workspaceId: other.workspaceId, role: 'viewer' }]);
});

test('a session of an account whose address is not proved exempts no network', async () => {
  const { deps } = await testApp();
  const { server, ask } = await stage();
  const email = newEmail();
  await addMember(await newWorkspace(), 'viewer', 'Guest', email);
  await ask(email);
  expect(server.received).toHaveLength(1);
  const { numUpdatedRows } = await deps.db
    .updateTable('rateCounters')
    .set({ used: 30 })
    .where('bucket', '=', `session.mailed ${sha256(email.toLowerCase())}`)
    .executeTakeFirstOrThrow();
  await ask(email);
  expect([numUpdatedRows, server.received.length]).toEqual([1n, 1]);
});
