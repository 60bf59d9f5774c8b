import { expect, test } from 'vitest';
import { failureReasonOf, reasonOfChromium } from './failure-reason.ts';
import { GuardRefusal } from './ssrf-guard.ts';

const withCode = (code: string) => Object.assign(new Error('x'), { code });

test.each([
  [withCode('ECONNREFUSED'), 'nothing listens there (connection refused)'],
  [
    new AggregateError([withCode('ECONNREFUSED'), withCode('ENETUNREACH')]),
    'nothing listens there (connection refused)',
  ],
  [withCode('ENOTFOUND'), 'its host name does not exist'],
  [withCode('EAI_AGAIN'), 'its host name could not be resolved'],
  [withCode('CERT_HAS_EXPIRED'), 'no secure connection could be made'],
  [withCode('CONNECT_TIMEOUT'), 'it did not answer in time'],
])('%o has the reason "%s"', (error, reason) => {
  expect(failureReasonOf(error)).toBe(reason);
});

test('a host that the guard refuses has the reason of a host that cannot be reached', () => {
  expect(failureReasonOf(new GuardRefusal('host'))).toBe(failureReasonOf(withCode('EHOSTUNREACH')));
});

test.each([
  ['ERR_CERT_DATE_INVALID', 'its certificate has expired or is not valid yet (ERR_CERT_DATE_INVALID)'],
  ['ERR_CERT_WEAK_KEY', 'no secure connection could be made (ERR_CERT_WEAK_KEY)'],
  ['ERR_EMPTY_RESPONSE', 'the connection was closed before the answer was complete (ERR_EMPTY_RESPONSE)'],
  ['ERR_BLOCKED_BY_RESPONSE', 'ERR_BLOCKED_BY_RESPONSE'],
])('%s of the browser means "%s"', (code, reason) => {
  expect(reasonOfChromium(code)).toBe(reason);
});
