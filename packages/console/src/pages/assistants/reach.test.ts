import { expect, test } from 'vitest';
import { isLoopback, warningFor } from './reach.ts';

test.each([
  'http://127.0.0.1:8080',
  'http://localhost:8080',
  'http://[::1]:8080',
  'https://redpen.localhost',
])('%s is this computer alone', (origin) => {
  expect(isLoopback(origin)).toBe(true);
  expect(warningFor(origin, true)).toMatch(/^Hosted assistants cannot reach/);
  expect(warningFor(origin, false)).toBeUndefined();
});

test.each([
  'http://10.0.0.7:8080',
  'http://redpen.example.com',
  'http://127.example.com',
  'http://localhost.example.com',
])('%s sends tokens unencrypted', (origin) => {
  expect(isLoopback(origin)).toBe(false);
  expect(warningFor(origin, true)).toMatch(/^Hosted assistants need an address with https/);
  expect(warningFor(origin, false)).toMatch(/^The token crosses the network unencrypted/);
});

test('an address with https needs no warning', () => {
  expect(warningFor('https://redpen.example.com', true)).toBeUndefined();
  expect(warningFor('https://redpen.example.com', false)).toBeUndefined();
});
