import { expect, test } from 'vitest';
import { isOriginAllowed } from './allowed-origin.ts';

test.each([
  // A domain without a scheme or port allows every scheme and port.
  ['app.example.com', 'https://app.example.com', true],
  ['app.example.com', 'http://app.example.com:3000', true],
  ['app.example.com', 'capacitor://app.example.com', true],
  ['app.example.com', 'https://www.app.example.com', true],
  ['app.example.com', 'https://app.example.com.', true],
  ['app.example.com', 'https://other.example.com', false],
  ['app.example.com', 'null', false],
  ['app.example.com', 'not a url', false],
  ['null', 'null', false],
  // A domain with a port.
  ['localhost:3000', 'http://localhost:3000', true],
  ['localhost:3000', 'http://localhost', false],
  ['localhost:3000', 'http://localhost:3001', false],
  ['a.com:443', 'https://a.com', true],
  ['a.com:443', 'http://a.com', false],
  ['a.com:80', 'http://a.com', true],
  ['[::1]:3000', 'http://[::1]:3000', true],
  ['[::1]', 'http://[::1]:3000', true],
  // A domain with a scheme.
  ['https://a.com', 'https://a.com', true],
  ['https://a.com', 'https://www.a.com:8443', true],
  ['https://a.com', 'http://a.com', false],
  ['capacitor://localhost', 'capacitor://localhost', true],
  ['capacitor://localhost', 'http://localhost', false],
  ['https://app.example.com:8443', 'https://app.example.com:8443', true],
  ['https://app.example.com:8443', 'https://app.example.com', false],
  ['https://app.example.com:8443', 'http://app.example.com:8443', false],
  // A wildcard must be a whole label.
  ['*.example.com', 'https://a.b.example.com:1', true],
  ['*.example.com', 'https://example.com', false],
  ['*.example.com', 'https://notexample.com', false],
  ['https://*.example.com:8443', 'https://a.example.com:8443', true],
  ['https://*.example.com:8443', 'https://a.example.com', false],
  ['*.example.com:8443', 'http://a.example.com:8443', true],
])('with %s allowed, the origin %s is allowed: %s', (domain, origin, allowed) => {
  expect(isOriginAllowed(origin, ['other.test', domain])).toBe(allowed);
});

test('pages of every origin are allowed if no domain is named', () => {
  expect(isOriginAllowed('null', [])).toBe(true);
});
