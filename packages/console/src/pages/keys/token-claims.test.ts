import { expect, it } from 'vitest';
import { claimsOf, placesIn } from './token-claims.ts';

it('reads the claims of a token, also names with other letters', () => {
  const claims = Buffer.from(JSON.stringify({ userId: 'eve', name: 'Ève ✓' })).toString('base64url');
  expect(claimsOf(`e30.${claims}.signature`)).toEqual({ userId: 'eve', name: 'Ève ✓' });
});

it.each(['', 'rp_token', 'a.b.c', 'e30.bnVsbA.x'])('finds none in %j', (text) => {
  expect(claimsOf(text)).toBeUndefined();
});

it('reads places line by line', () => {
  expect(placesIn('acme\n\n acme/pricing page \nacme/folder:drafts/2026')).toEqual([
    { type: 'organization', id: 'acme' },
    { type: 'document', id: 'pricing page', organizationId: 'acme' },
    { type: 'folder', id: 'drafts/2026', organizationId: 'acme' },
  ]);
});
