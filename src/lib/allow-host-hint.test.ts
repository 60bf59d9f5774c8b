import { expect, test } from 'vitest';
import { allowHostHint } from './allow-host-hint.ts';

test.each([
  ['http://127.0.0.1:8090/shop?a=b', '127.0.0.1:8090'],
  ['https://Staging.Internal/', 'staging.internal:443'],
  ['http://[::1]:3000/', "'[::1]:3000'"],
  // An operator who copies the command must not run what a caller wrote.
  ['http://$(reboot).localhost/', 'HOST:PORT'],
  ["http://a';reboot;'.localhost/", 'HOST:PORT'],
  ['no url', 'HOST:PORT'],
])('%s is allowed by its host and port', (url, host) => {
  expect(allowHostHint(url)).toBe(
    `The operator of the service allows one with \`redpen allow-host ${host}\` or REDPEN_ALLOW_HOSTS.`,
  );
});
