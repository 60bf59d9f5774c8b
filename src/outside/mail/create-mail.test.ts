import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { startSmtpFake, TEST_CERTIFICATE } from '../../../test/fakes/smtp-server.ts';
import { createSafeFetch } from '../net/safe-fetch.ts';
import { createGuard } from '../net/ssrf-guard.ts';
import { type ClosableMail, createMail } from './create-mail.ts';
import type { MailFailure } from './mail.ts';

const fetch = createSafeFetch(createGuard({ allowHosts: ['127.0.0.1'] }), { userAgent: 'Test' });
const opened: ClosableMail[] = [];
afterEach(() => {
  for (const mail of opened.splice(0)) mail.close();
});

const open = (options: Partial<Parameters<typeof createMail>[0]> = {}): ClosableMail => {
  const mail = createMail({
    smtpUrl: undefined,
    from: 'redpen@example.com',
    fetch,
    sendgridUrl: 'http://127.0.0.1:9',
    timeoutMs: 60_000,
    ...options,
  });
  opened.push(mail);
  return mail;
};
const message = {
  to: { address: 'sam@example.com', name: 'Säm, the "Tester"' },
  fromName: 'Acme\r\nBcc: all@example.com',
  replyTo: 'team@acme.example',
  subject: 'Grüße\r\nBcc: more@example.com',
  text: 'Plain words',
  html: '<p>Rich words</p>',
  messageId: 'abc123',
};
const failureOf = (sending: Promise<void>): Promise<MailFailure> =>
  sending.then(
    () => {
      throw new Error('It was sent.');
    },
    (error) => error,
  );

test('a message is sent as text and HTML from the operator, and no field can inject a header', async () => {
  await using server = await startSmtpFake();
  await open({ smtpUrl: `smtp://127.0.0.1:${server.port}` }).send(message, { type: 'smtp' });
  const [mail] = server.received;
  expect(mail).toMatchObject({ from: 'redpen@example.com', to: ['sam@example.com'], secure: false });
  expect(mail!.raw).toContain('Message-ID: <abc123@example.com>');
  expect(mail!.raw).toContain('Auto-Submitted: auto-generated');
  expect(mail!.raw).toMatch(
    /Content-Type: text\/plain[\s\S]*Plain words[\s\S]*Content-Type: text\/html[\s\S]*Rich words/,
  );
  expect(mail!.raw).toContain('Reply-To: "Acme Bcc: all@example.com" <team@acme.example>');
  expect(mail!.raw).not.toMatch(/^Bcc:|=0D=0A/m);
});

test.each(['a@example.com, b@example.com', 'a@example.com>\r\nRCPT TO:<b@example.com', 'nobody'])(
  'the invalid address %j does not add a recipient',
  async (address) => {
    await using server = await startSmtpFake();
    const mail = open({ smtpUrl: `smtp://127.0.0.1:${server.port}` });
    const sent = await mail.send({ ...message, to: { address } }, { type: 'smtp' }).then(
      () => true,
      () => false,
    );
    expect(server.received.flatMap(({ to }) => to).filter((to) => to === 'b@example.com')).toEqual([]);
    expect(sent && server.received.some(({ to }) => to.length > 1)).toBe(false);
  },
);

test('a password is sent over TLS if the server offers it', async () => {
  await using server = await startSmtpFake({
    disabledCommands: [],
    authOptional: false,
    onAuth: ({ username, password }, session, done) =>
      password === 'p@ss' && session.secure
        ? done(null, { user: username })
        : done(Object.assign(new Error('Wrong'), { responseCode: 535 })),
  });
  const mail = open({ smtpUrl: `smtp://me%40x:p%40ss@127.0.0.1:${server.port}`, ca: TEST_CERTIFICATE });
  await mail.send(message, { type: 'smtp' });
  expect(server.received).toMatchObject([{ secure: true, user: 'me@x' }]);
  const wrong = open({ smtpUrl: `smtp://me:no@127.0.0.1:${server.port}`, ca: TEST_CERTIFICATE });
  expect(await failureOf(wrong.send(message, { type: 'smtp' }))).toMatchObject({
    kind: 'temporary',
    affectsAll: true,
  });
});

test('implicit TLS works, and an untrusted certificate is refused', async () => {
  await using server = await startSmtpFake({ secure: true });
  const smtpUrl = `smtps://127.0.0.1:${server.port}`;
  await open({ smtpUrl, ca: TEST_CERTIFICATE }).send(message, { type: 'smtp' });
  expect(server.received).toMatchObject([{ secure: true }]);
  expect(await failureOf(open({ smtpUrl }).send(message, { type: 'smtp' }))).toMatchObject({
    kind: 'temporary',
  });
  expect(server.received).toHaveLength(1);
});

test.each([
  [451, 'temporary', false],
  [421, 'temporary', true],
  [550, 'permanent', false],
])('a refusal with %i is a %s failure', async (code, kind, affectsAll) => {
  await using server = await startSmtpFake({ refuse: () => code });
  const mail = open({ smtpUrl: `smtp://127.0.0.1:${server.port}` });
  expect(await failureOf(mail.send(message, { type: 'smtp' }))).toMatchObject({ kind, affectsAll });
});

test('a message that was refused can be sent again', async () => {
  await using server = await startSmtpFake({ refuse: (_to, tries) => (tries === 1 ? 450 : undefined) });
  const mail = open({ smtpUrl: `smtp://127.0.0.1:${server.port}` });
  await failureOf(mail.send(message, { type: 'smtp' }));
  await mail.send(message, { type: 'smtp' });
  expect(server.received).toHaveLength(1);
});

test('a server that never answers is a temporary failure', async () => {
  await using server = await startSmtpFake({ hold: () => {} });
  const mail = open({ smtpUrl: `smtp://127.0.0.1:${server.port}`, timeoutMs: 300 });
  expect(await failureOf(mail.send(message, { type: 'smtp' }))).toMatchObject({
    kind: 'temporary',
    affectsAll: true,
  });
});

test('a connection that breaks fails one message, and the next message gets a new connection', async () => {
  let broken = 0;
  await using server = await startSmtpFake({
    hold(answer, fake) {
      if (broken++ === 0) fake.dropConnections();
      else answer();
    },
  });
  const mail = open({ smtpUrl: `smtp://127.0.0.1:${server.port}` });
  expect(await failureOf(mail.send(message, { type: 'smtp' }))).toMatchObject({ kind: 'temporary' });
  await mail.send(message, { type: 'smtp' });
  expect(server.received).toHaveLength(1);
});

test('an unreachable server is a temporary failure, and a missing configuration a permanent one', async () => {
  const absent = open({ smtpUrl: 'smtp://127.0.0.1:9' });
  expect(await failureOf(absent.send(message, { type: 'smtp' }))).toMatchObject({ affectsAll: true });
  expect(await failureOf(open().send(message, { type: 'smtp' }))).toMatchObject({
    kind: 'permanent',
    message: 'No mail server is configured.',
  });
});

test('a message for SendGrid has the key of its sender, and the status decides about a failure', async () => {
  const requests: {
    url: string | undefined;
    authorization: string | undefined;
    body: Record<string, unknown>;
  }[] = [];
  let status = 202;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url, headers } = request;
      requests.push({
        url,
        authorization: headers.authorization,
        body: JSON.parse(Buffer.concat(chunks).toString()),
      });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const mail = open({ sendgridUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  const carrier = { type: 'sendgrid', apiKey: 'SG.key', from: 'hello@acme.example' } as const;
  try {
    await mail.send({ ...message, fromName: 'Acme' }, carrier);
    await mail.send({ ...message, template: { id: 'd-1', data: { headline: 'x' } } }, carrier);
    expect(requests).toMatchObject([
      {
        url: '/v3/mail/send',
        authorization: 'Bearer SG.key',
        body: {
          personalizations: [{ to: [{ email: 'sam@example.com' }] }],
          from: { email: 'hello@acme.example', name: 'Acme' },
          reply_to: { email: 'team@acme.example' },
          content: [{ type: 'text/plain', value: 'Plain words' }, { type: 'text/html' }],
          headers: { 'Message-ID': '<abc123@acme.example>' },
        },
      },
      { body: { template_id: 'd-1', personalizations: [{ dynamic_template_data: { headline: 'x' } }] } },
    ]);
    expect(requests[1]!.body).not.toHaveProperty('content');
    status = 503;
    expect(await failureOf(mail.send(message, carrier))).toMatchObject({ kind: 'temporary' });
    status = 401;
    expect(await failureOf(mail.send(message, carrier))).toMatchObject({ kind: 'permanent' });
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
  expect(await failureOf(mail.send(message, carrier))).toMatchObject({ kind: 'temporary', affectsAll: true });
});
