import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  isSecretHeader,
  isSecretName,
  isSecretParameter,
  mapSecretShapes,
  REDACTED,
  redactUrl,
  restoreRedacted,
  restoreUrlSecrets,
  secretsOfUrl,
} from './secret-shapes.ts';

const shownOf = (value: unknown) => mapSecretShapes(value, ({ shown }) => shown);

test.each(['token', 'apiKey', 'api_key', 'API-KEY', 'secret', 'password', 'accessToken', 'client_secret'])(
  '%s names a secret',
  (name) => expect(isSecretName(name)).toBe(true),
);

test.each([
  'tokens',
  'maxTokens',
  'designToken',
  'secretary',
  'key',
  'author',
  'passwordPolicy',
  'tokenUsage',
])('%s does not name a secret', (name) => expect(isSecretName(name)).toBe(false));

test('more names count as secrets among headers and parameters', () => {
  for (const name of ['Authorization', 'X-Api-Key', 'cookie', 'X-GitHub-Token', 'Proxy-Authorization'])
    expect(isSecretHeader(name)).toBe(true);
  for (const name of ['accept', 'x-request-id', 'x-tokenizer', 'user-agent', 'author'])
    expect(isSecretHeader(name)).toBe(false);
  for (const name of ['access_token', 'X-Amz-Signature', 'subscription-key', 'sig', 'jwt'])
    expect(isSecretParameter(name, 'x')).toBe(true);
  for (const name of ['q', 'page', 'monkey', 'design', 'pageTokenCount'])
    expect(isSecretParameter(name, 'x'.repeat(40))).toBe(false);
  expect([isSecretParameter('key', 'a'), isSecretParameter('key', 'AIza'.repeat(8))]).toEqual([false, true]);
});

test.each([
  ['https://jane:hunter2@a.example/x?y=1', 'https://jane:__redacted__@a.example/x?y=1'],
  ['https://ghp_123@a.example/', 'https://__redacted__@a.example/'],
  ['postgres://u:p@h/db', 'postgres://u:__redacted__@h/db'],
  ['https://a.example/?x=1&Token=abc&y=2', 'https://a.example/?x=1&Token=__redacted__&y=2'],
  ['https://a.example/?api%5Fkey=abc', 'https://a.example/?api%5Fkey=__redacted__'],
  ['https://a.example/#access_token=abc', 'https://a.example/#access_token=__redacted__'],
  ['{{base}}/x?token=abc', '{{base}}/x?token=__redacted__'],
  ['https://{{ host }}/x?token=abc', 'https://{{ host }}/x?token=__redacted__'],
  ['/relative?password=abc', '/relative?password=__redacted__'],
])('%s is shown as %s', (url, shown) => {
  expect(redactUrl(url)).toBe(shown);
  expect(restoreUrlSecrets(shown, url)).toBe(url);
});

test.each([
  'https://a.example/x@y?q=token',
  'https://a.example/?token={{apiToken}}',
  'https://a.example/?token=',
  'https://a.example/*?token=*',
  'https://{{user}}@a.example/',
  'Give the token=abc to nobody',
  'jane@example.com',
  '',
])('%j is shown unchanged', (text) => expect(redactUrl(text)).toBe(text));

test('secrets of a URL are restored by their names, even if the rest of the URL changed', () => {
  const stored = 'https://u:p@a.example/v1?token=one&token=two&q=1';
  expect(
    restoreUrlSecrets('https://v:__redacted__@a.example/v2?q=2&token=__redacted__&token=new', stored),
  ).toBe('https://v:p@a.example/v2?q=2&token=one&token=new');
  expect(restoreUrlSecrets('https://a.example/?secret=__redacted__', stored)).toBe(
    'https://a.example/?secret=__redacted__',
  );
});

test('secrets of a URL are listed both encoded and decoded', () => {
  expect(secretsOfUrl('https://u:p%40ss@a.example/?token=t&token=t&q=1')).toEqual(['p%40ss', 'p@ss', 't']);
});

test('secrets are recognized by their names at any depth', () => {
  const config = {
    customThing: { auth: { type: 'oauth', token: 'a', username: 'jane', scopes: ['b'], ttl: 5, isOn: true } },
    list: [{ apiKey: 'c', note: 'fine' }, { Authorization: 'Bearer {{token}}' }],
    request: {
      headers: { accept: '*/*', cookie: 'd', 'x-api-key': '{{key}}' },
      query: { q: 'fine', access_token: 'e', page: 2 },
      body: '{"grant_type":"client_credentials","client_secret":"f"}',
    },
    token: { value: 'g', description: 'fine' },
    schema: { properties: { password: { type: 'string', description: 'A word.' } } },
    urls: ['https://a.example/?sig=h'],
    secret: '',
  };
  expect(shownOf(config)).toEqual({
    customThing: {
      auth: {
        type: 'oauth',
        token: REDACTED,
        username: 'jane',
        scopes: [REDACTED],
        ttl: REDACTED,
        isOn: true,
      },
    },
    list: [{ apiKey: REDACTED, note: 'fine' }, { Authorization: 'Bearer {{token}}' }],
    request: {
      headers: { accept: '*/*', cookie: REDACTED, 'x-api-key': '{{key}}' },
      query: { q: 'fine', access_token: REDACTED, page: 2 },
      body: REDACTED,
    },
    token: { value: REDACTED, description: 'fine' },
    schema: { properties: { password: { type: 'string', description: 'A word.' } } },
    urls: [`https://a.example/?sig=${REDACTED}`],
    secret: '',
  });
});

test('known secrets are left alone, with everything inside them', () => {
  const config = { input: { token: 'a' }, list: [{ token: 'b' }] };
  const isKnown = (path: readonly unknown[]) => path[0] === 'input' || path[1] === 0;
  expect(mapSecretShapes(config, () => 'changed', isKnown)).toEqual(config);
});

test('redacted values are restored, even if their entry moved', () => {
  const opened = {
    list: [
      { id: 'a', token: 'A' },
      { token: 'B' },
      { id: 'c', url: 'https://x/?token=C', number: { pin: 1 } },
    ],
    auth: { pin: 4711 },
    gone: { token: 'G' },
  };
  const next = {
    list: [
      { id: 'c', url: `https://y/?token=${REDACTED}` },
      { token: REDACTED },
      { id: 'a', token: 'new' },
      { id: 'z', token: REDACTED },
    ],
    auth: { pin: REDACTED },
    other: { token: REDACTED },
    note: REDACTED,
  };
  expect(restoreRedacted(next, shownOf(opened), opened)).toEqual({
    list: [
      { id: 'c', url: 'https://y/?token=C' },
      { token: 'B' },
      { id: 'a', token: 'new' },
      { id: 'z', token: REDACTED },
    ],
    auth: { pin: 4711 },
    other: { token: REDACTED },
    note: REDACTED,
  });
});

test.each([
  ['one word', 'a'.repeat(1_000_000)],
  ['an endless URL', `https://a.example/=?${'a'.repeat(1_000_000)}`],
  ['a URL of many parameters', `https://a.example/?${'a&'.repeat(500_000)}=`],
  ['unclosed templates', '{{a'.repeat(300_000)],
  ['spaces', `a${' '.repeat(1_000_000)}`],
  ['unclosed quotes', 'a="'.repeat(300_000)],
  ['hyphens', 'api-'.repeat(250_000)],
])('a megabyte of %s is searched without hanging', (_, text) => {
  const config = { body: text, url: text, token: text, [text]: 'x', headers: { [text]: text } };
  const shown = shownOf(config);
  expect(shown).toMatchObject({ token: REDACTED });
  expect(restoreRedacted(shown, shown, config)).toEqual(config);
});

test('entries of long lists are matched by their ids', () => {
  const list = Array.from({ length: 50_000 }, (_, index) => ({ id: `e${index}`, token: `t${index}` }));
  const next = list.map(({ id }) => ({ id, token: REDACTED })).reverse();
  expect(restoreRedacted(next, shownOf(list), list)).toEqual(list.toReversed());
});

test('any configuration is restored from its redacted form', () => {
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      fc.jsonValue(),
      fc.constantFrom('https://u:p@h/?token=1', 'canary', 7),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom('auth', 'token', 'headers', 'cookie', 'value', 'body', 'sealed'),
        tie('tree'),
      ),
    ),
  }));
  fc.assert(
    fc.property(tree, (config) => {
      const shown = shownOf(config);
      expect(restoreRedacted(shown, shown, config)).toEqual(config);
    }),
  );
});
