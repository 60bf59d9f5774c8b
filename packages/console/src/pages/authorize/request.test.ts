import { describe, expect, it } from 'vitest';
import { authorizationRequestOf, isAddress } from './request.ts';

const fields = {
  client_id: 'https://assistant.example.com/client.json',
  redirect_uri: 'https://assistant.example.com/callback?from=redpen',
};

describe('the request of an assistant', () => {
  it('has the names of the operations, without what the address lacks', () => {
    const query = new URLSearchParams({
      ...fields,
      response_type: 'code',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
      scope: 'read comment',
      state: 'a&b=c',
      resource: 'https://redpen.example.com/mcp',
      prompt: 'consent',
    });
    expect(authorizationRequestOf(`?${query}`)).toEqual({
      clientId: fields.client_id,
      redirectUri: fields.redirect_uri,
      responseType: 'code',
      codeChallenge: 'c'.repeat(43),
      codeChallengeMethod: 'S256',
      scope: 'read comment',
      state: 'a&b=c',
      resource: 'https://redpen.example.com/mcp',
    });
    expect(authorizationRequestOf(`?${new URLSearchParams(fields)}`)).toEqual({
      clientId: fields.client_id,
      redirectUri: fields.redirect_uri,
    });
  });

  it.each([
    ['', 'client_id'],
    [`client_id=${fields.client_id}`, 'redirect_uri'],
    [`${new URLSearchParams(fields)}&client_id=https://other.example.com/`, 'client_id'],
    [`${new URLSearchParams(fields)}&state=1&state=2`, 'state'],
  ])('is refused without an answer to the client: %s', (query, name) => {
    const refusal = authorizationRequestOf(`?${query}`);
    expect(typeof refusal).toBe('string');
    expect(refusal).toContain(name);
  });
});

describe('the browser is sent', () => {
  it.each(['https://assistant.example.com/callback?code=1', 'http://127.0.0.1:3000/callback?code=1'])(
    'to %s',
    (url) => expect(isAddress(url)).toBe(true),
  );

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://x.example/1',
    'file:///etc/passwd',
    '/callback',
  ])('never to %s', (url) => expect(isAddress(url)).toBe(false));
});
