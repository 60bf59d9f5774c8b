import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createKeyring } from '../../lib/crypto.ts';
import {
  keepSecrets,
  openSecrets,
  REDACTED,
  redactSecrets,
  resealSecrets,
  sealSecrets,
  secretValues,
} from './agent-secrets.ts';

const keyring = createKeyring([Buffer.alloc(32, 1)]);
const owner = { apiKeyId: 'key_1', agentId: 'agent_1' };

const withServers = (...mcpServers: unknown[]) => ({ execution: { mcpServers } });
const withEndpoints = (...endpoints: unknown[]) => ({
  contextGathering: { strategyOptions: { 'rest-api': { endpoints } } },
});
const bearer = (token?: string) => ({ type: 'bearer', ...(token !== undefined && { token }) });

const everything = {
  ...withServers(
    { id: 'a', url: 'https://a.example', auth: bearer('canary-1') },
    { id: 'b', url: 'https://b.example', auth: { type: 'basic', username: 'jane', password: 'canary-2' } },
    { id: 'c', url: 'https://c.example' },
  ),
  ...withEndpoints(
    {
      url: 'https://d.example',
      auth: { type: 'header', headers: { 'X-Key': 'canary-3', 'X-Other': 'canary-4' } },
    },
    { id: 'e', url: 'https://e.example', auth: { type: 'none' } },
  ),
  instructions: 'Be kind.',
};

test('sealing hides each secret, and opening restores it', () => {
  const sealed = sealSecrets(everything, keyring, owner);
  expect(JSON.stringify(sealed)).not.toContain('canary');
  expect(JSON.stringify(sealed).match(/"sealed":"v1\./g)).toHaveLength(4);
  expect(openSecrets(sealed, keyring, owner)).toEqual(everything);
});

test('a sealed secret opens neither for another agent nor at another path', () => {
  const sealed = sealSecrets(everything, keyring, owner);
  expect(() => openSecrets(sealed, keyring, { ...owner, agentId: 'agent_2' })).toThrow();
  expect(() => openSecrets(sealed, keyring, { ...owner, apiKeyId: 'key_2' })).toThrow();
  const servers = structuredClone(sealed.execution as { mcpServers: { id: string }[] }).mcpServers;
  servers[0]!.id = 'elsewhere';
  expect(() => openSecrets(withServers(...servers), keyring, owner)).toThrow();
});

test('resealing moves old secrets to the current master key and leaves current secrets alone', () => {
  const sealed = sealSecrets(everything, keyring, owner);
  const rotated = createKeyring([Buffer.alloc(32, 2), Buffer.alloc(32, 1)]);
  const resealed = resealSecrets(sealed, rotated, owner)!;
  expect(openSecrets(resealed, createKeyring([Buffer.alloc(32, 2)]), owner)).toEqual(everything);
  expect(resealSecrets(resealed, rotated, owner)).toBeUndefined();
});

const shaped = {
  custom: { auth: { type: 'oauth', token: 'canary-1', ttl: 60 }, url: 'https://u:canary-2@a.example/' },
  // A caller may send a value that looks sealed.
  forged: { sealed: 'v1.00000000.canary-3', shown: 'canary-4' },
  input: { userContextFields: [{ id: 'token', title: 'Token', type: 'string' }], token: 'a name' },
  execution: { responseDescriptions: { password: 'What to say of passwords.' } },
  scope: { pageScope: ['https://a.example/*?token=1*'] },
};

describe('secrets recognized by their shape', () => {
  test('are sealed for their agent and path, and open again', () => {
    const sealed = sealSecrets(shaped, keyring, owner);
    expect(JSON.stringify(sealed)).not.toContain('canary');
    expect(openSecrets(sealed, keyring, owner)).toEqual(shaped);
    expect(() => openSecrets(sealed, keyring, { ...owner, agentId: 'agent_2' })).toThrow();
    expect(() => openSecrets({ ...sealed, another: sealed.custom }, keyring, owner)).toThrow();
  });

  test('are redacted, even in rows that an earlier release stored unsealed', () => {
    const { forged: _, ...stored } = shaped;
    for (const behavior of [stored, sealSecrets(stored, keyring, owner)]) {
      expect(redactSecrets(behavior)).toEqual({
        ...stored,
        custom: {
          auth: { type: 'oauth', token: REDACTED, ttl: REDACTED },
          url: `https://u:${REDACTED}@a.example/`,
        },
      });
      expect(keepSecrets(redactSecrets(behavior), openSecrets(behavior, keyring, owner))).toEqual(stored);
    }
  });

  test('move to the current master key', () => {
    const sealed = sealSecrets(shaped, keyring, owner);
    const rotated = createKeyring([Buffer.alloc(32, 2), Buffer.alloc(32, 1)]);
    const resealed = resealSecrets(sealed, rotated, owner)!;
    expect(openSecrets(resealed, createKeyring([Buffer.alloc(32, 2)]), owner)).toEqual(shaped);
    expect(resealSecrets(resealed, rotated, owner)).toBeUndefined();
  });

  test('are redacted in texts, while words of sentences are not', () => {
    expect(
      secretValues({
        ...shaped.custom,
        headers: { authorization: 'Bearer abcdef', cookie: 'a=b; session=c' },
        secret: 'a long sentence',
        body: 'user=jane&password=p%20w',
        forged: undefined,
      }),
    ).toEqual(['canary-1', '60', 'canary-2', 'abcdef', 'user=jane&password=p%20w', 'p%20w']);
  });
});

describe('redaction', () => {
  test('shows only types, user names and header names of an auth block', () => {
    for (const behavior of [everything, sealSecrets(everything, keyring, owner)]) {
      expect(redactSecrets(behavior)).toEqual({
        ...withServers(
          { id: 'a', url: 'https://a.example', auth: bearer(REDACTED) },
          {
            id: 'b',
            url: 'https://b.example',
            auth: { type: 'basic', username: 'jane', password: REDACTED },
          },
          { id: 'c', url: 'https://c.example' },
        ),
        ...withEndpoints(
          {
            url: 'https://d.example',
            auth: { type: 'header', headers: { 'X-Key': REDACTED, 'X-Other': REDACTED } },
          },
          { id: 'e', url: 'https://e.example', auth: { type: 'none' } },
        ),
        instructions: 'Be kind.',
      });
    }
  });

  test('hides unexpected values', () => {
    const value = fc.oneof(
      fc.constant('canary'),
      fc.constant(['canary']),
      fc.constant({ sealed: 'canary' }),
      fc.constant({ a: ['canary'] }),
    );
    const auth = fc.oneof(
      value,
      fc.dictionary(fc.constantFrom('type', 'token', 'password', 'headers', 'key', 'secret'), value),
      value.map((headers) => ({ type: 'bearer', headers })),
      value.map((token) => ({ type: 'header', headers: { 'x-key': token } })),
    );
    fc.assert(
      fc.property(auth, (found) => {
        for (const behavior of [
          withServers({ auth: found }),
          withEndpoints({ auth: found }),
          withServers('canary'),
          { execution: { mcpServers: 'canary' } },
        ]) {
          expect(JSON.stringify(redactSecrets(behavior))).not.toContain('canary');
        }
      }),
    );
  });
});

describe('keeping stored secrets', () => {
  const stored = withEndpoints(
    { id: 'a', auth: bearer('A') },
    { auth: { type: 'basic', username: 'u', password: 'B' } },
    { id: 'c', auth: { type: 'header', headers: { 'X-Key': 'C', 'X-Gone': 'G' } } },
  );
  const kept = (...endpoints: unknown[]) =>
    (keepSecrets(withEndpoints(...endpoints), stored) as ReturnType<typeof withEndpoints>).contextGathering
      .strategyOptions['rest-api'].endpoints;

  test('a secret that is omitted or redacted is kept, even if its entry moved', () => {
    expect(
      kept(
        { id: 'c', auth: { type: 'header', headers: { 'x-key': REDACTED } } },
        { auth: { type: 'basic', username: 'v' } },
        { id: 'a', auth: bearer() },
      ),
    ).toEqual([
      { id: 'c', auth: { type: 'header', headers: { 'x-key': 'C' } } },
      { auth: { type: 'basic', username: 'v', password: 'B' } },
      { id: 'a', auth: bearer('A') },
    ]);
    expect(kept({ id: 'a', auth: bearer(REDACTED) })).toEqual([{ id: 'a', auth: bearer('A') }]);
    expect(kept({ id: 'c', auth: { type: 'header' } })).toEqual([
      { id: 'c', auth: { type: 'header', headers: { 'X-Key': 'C', 'X-Gone': 'G' } } },
    ]);
  });

  test('an entry without auth keeps its auth', () => {
    expect(kept({ id: 'a', url: 'new' })).toEqual([{ id: 'a', url: 'new', auth: bearer('A') }]);
  });

  test('a new secret replaces the stored secret, and another type keeps nothing', () => {
    expect(kept({ id: 'a', auth: bearer('new') })).toEqual([{ id: 'a', auth: bearer('new') }]);
    expect(kept({ id: 'a', auth: { type: 'basic', username: 'u' } })).toEqual([
      { id: 'a', auth: { type: 'basic', username: 'u' } },
    ]);
    expect(kept({ id: 'a', auth: { type: 'none' } })).toEqual([{ id: 'a', auth: { type: 'none' } }]);
  });

  test('an entry with an id never gets the secret of an entry with another id at its position', () => {
    expect(kept({ id: 'z' }, { id: 'b' }, { id: 'y', auth: bearer(REDACTED) })).toEqual([
      { id: 'z' },
      { id: 'b', auth: { type: 'basic', username: 'u', password: 'B' } },
      { id: 'y', auth: bearer(REDACTED) },
    ]);
    expect(kept({ url: 'new' }, { id: 'a' })).toEqual([{ url: 'new' }, { id: 'a', auth: bearer('A') }]);
  });

  test('lists of different kinds do not mix', () => {
    expect(keepSecrets(withServers({ id: 'a' }), stored)).toEqual(withServers({ id: 'a' }));
  });

  test('keeping secrets accepts any value in place of the lists, and does not change it', () => {
    const { entry } = fc.letrec((tie) => ({
      entry: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue(),
        fc.constantFrom('a', 'bearer', 'header', REDACTED),
        fc.dictionary(fc.constantFrom('id', 'auth', 'type', 'token', 'headers', 'X-Key'), tie('entry')),
      ),
    }));
    fc.assert(
      fc.property(fc.oneof(entry, fc.array(entry)), (endpoints) => {
        const next = { contextGathering: { strategyOptions: { 'rest-api': { endpoints } } } };
        const before = structuredClone(next);
        redactSecrets(sealSecrets(keepSecrets(next, stored), keyring, owner));
        expect(next).toEqual(before);
      }),
    );
  });
});
