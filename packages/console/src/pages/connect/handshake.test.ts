import { describe, expect, it } from 'vitest';
import { connectRequestOf } from './handshake.ts';

const query = (fields: Record<string, string>) =>
  `?${new URLSearchParams({
    origin: 'https://app.example.com',
    organization: 'acme',
    nonce: 'n'.repeat(22),
    ...fields,
  })}`;

describe('the request of an overlay', () => {
  it('names origin, organization, document and nonce', () => {
    expect(connectRequestOf(query({ document: 'website', key: 'key_1' }))).toEqual({
      origin: 'https://app.example.com',
      organization: 'acme',
      document: 'website',
      nonce: 'n'.repeat(22),
      key: 'key_1',
    });
    expect(connectRequestOf(query({}))).toMatchObject({ document: undefined, key: undefined });
  });

  it.each([
    { origin: '' },
    { origin: 'null' },
    { origin: '*' },
    { origin: 'app.example.com' },
    { origin: 'https://app.example.com/' },
    { origin: 'https://app.example.com/page' },
    { origin: 'https://user@app.example.com' },
    { origin: 'HTTPS://app.example.com' },
    { origin: 'javascript:alert(1)' },
    { origin: 'file://' },
    { organization: '' },
    { nonce: 'short' },
    { nonce: 'with spaces in the nonce' },
  ])('is refused with %j', (fields) => {
    expect(typeof connectRequestOf(query(fields))).toBe('string');
  });
});
