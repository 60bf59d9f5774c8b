import { expect, test } from 'vitest';
import { fillUrl, UnfitValue } from './fill-url.ts';

const API = 'https://api.example.com/users/{{id}}/posts?q={{q}}#{{q}}';

test('encodes values in path, query and fragment', () => {
  expect(fillUrl(API, { id: 7, q: 'a b&c=d#e/f' })).toBe(
    'https://api.example.com/users/7/posts?q=a%20b%26c%3Dd%23e%2Ff#a%20b%26c%3Dd%23e%2Ff',
  );
  expect(fillUrl(API, { variables: { id: 'ä/é', q: 'x\r\ny: \ud800' } })).toBe(
    'https://api.example.com/users/%C3%A4%2F%C3%A9/posts?q=x%0D%0Ay%3A%20%EF%BF%BD#x%0D%0Ay%3A%20%EF%BF%BD',
  );
});

test.each(['.', '..', '../admin', 'a/../b', '..\\x', '%2e%2e', '%252e%252e%252fx', '..%2f', ''])(
  'refuses a value that leads to another path: %s',
  (id) => {
    expect(() => fillUrl(API, { id, q: '' })).toThrow(UnfitValue);
    // The template itself supplies the other dot.
    expect(() => fillUrl('https://h.example/a/.{{id}}/b', { id })).toThrow(UnfitValue);
  },
);

test.each([
  'evil.example/',
  'evil.example#',
  'evil.example?x',
  'u:p@evil.example',
  '@evil.example',
  'evil.example\\',
  'a\r\nb',
  '',
  '-',
  ':80',
])('refuses a value that is not a host name within a host: %s', (tenant) => {
  expect(() => fillUrl('https://{{tenant}}.example.com/x', { tenant })).toThrow(UnfitValue);
  expect(() => fillUrl('https://example.com:{{tenant}}/x', { tenant })).toThrow();
  expect(() => fillUrl('https://{{tenant}}@example.com/x', { tenant: 'user' })).toThrow(UnfitValue);
  // URL parsers take the first segment of these as the host, too.
  expect(() => fillUrl('https:///{{tenant}}/x', { tenant: `${tenant}%` })).toThrow('is no part of a host');
  expect(() => fillUrl('https://\n/{{tenant}}/x', { tenant: `${tenant}%` })).toThrow('is no part of a host');
});

test('fills names of hosts, ports and whole addresses', () => {
  const values = { tenant: 'acme', port: 8443, base: 'https://docs.example.com/mcp', s: 'http' };
  expect(fillUrl('https://{{tenant}}.example.com:{{port}}/', values)).toBe('https://acme.example.com:8443/');
  expect(fillUrl('{{base}}', values)).toBe('https://docs.example.com/mcp');
  expect(fillUrl('{{base}}/{{tenant}}', values)).toBe('https://docs.example.com/mcp/acme');
  expect(fillUrl('{{s}}://example.com/', values)).toBe('http://example.com/');
});

test.each(['javascript:alert(1)', 'file:///etc/passwd', 'http://u:p@example.com/', 'example.com', '//x/y'])(
  'refuses an address without an HTTP host: %s',
  (base) => {
    expect(() => fillUrl('{{base}}/x', { base })).toThrow(UnfitValue);
    expect(() => fillUrl('{{base}}://example.com/', { base })).toThrow(UnfitValue);
  },
);

test('names a missing or invalid value, and never quotes one', () => {
  expect(() => fillUrl(API, { q: '' })).toThrow('There is no value for {{id}}.');
  expect(() => fillUrl(API, { id: '../sesame', q: '' })).toThrow(
    'The value of {{id}} would lead to another path.',
  );
});
