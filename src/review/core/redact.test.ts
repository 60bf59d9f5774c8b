import { expect, test } from 'vitest';
import { createRedactor, REMOVED } from './redact.ts';

const secret = `it's "a/b" & <c>!~é`.replaceAll(' ', '_');

test.each([
  ['URLs', encodeURIComponent(secret)],
  ['URLs in lower case', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
  ['addresses that a browser shows', new URL(`http://h/?q=${secret.replace('&', '')}`).search.slice(3), '&'],
  ['forms', new URLSearchParams({ q: secret }).toString().slice(2)],
  ['JSON', JSON.stringify({ secret }).slice(11, -2)],
  ['JSON of PHP', JSON.stringify({ secret }).slice(11, -2).replaceAll('/', '\\/').replace('é', '\\u00e9')],
  ['text of HTML', secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')],
  ['attributes of HTML', secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
  [
    'templates for HTML',
    secret
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#39;'),
  ],
  ['Base64', Buffer.from(secret).toString('base64')],
])('a secret is removed as %s spell it', (_, spelling, without = '') => {
  expect(createRedactor([secret.replace(without, '')])(`before ${spelling} after`)).toBe(
    `before ${REMOVED} after`,
  );
});

test('a secret that is given in the spelling of URLs is also removed as it reads', () => {
  expect(createRedactor(['s%3Aabc%2Fdef.123'])('id s:abc/def.123, s%3Aabc%2Fdef.123')).toBe(
    `id ${REMOVED}, ${REMOVED}`,
  );
  expect(createRedactor(['100%-secret'])('100%-secret')).toBe(REMOVED);
});
