import { expect, test } from 'vitest';
import { PageFailure } from '../../outside/browser/browser.ts';
import { FetchFailure } from '../../outside/net/outbound-fetch.ts';
import { asRunFault } from './run-error.ts';

test.each([
  new PageFailure('refused-host', 'The address could not be reached.'),
  new FetchFailure('refused-host', 'http://staging.example/', 'The address could not be reached.'),
])('a run that ends at an internal host explains how the operator allows it', (error) => {
  expect(asRunFault(error, 'CONTEXT_GATHERING_ERROR')).toMatchObject({
    code: 'CONTEXT_GATHERING_ERROR',
    retryable: false,
    message:
      'The address could not be reached. An internal host has to be allowed by the operator of the service, with `redpen allow-host HOST:PORT` or REDPEN_ALLOW_HOSTS.',
  });
});

test('a fault of a host that does not answer does not mention allowed hosts', () => {
  const error = new FetchFailure('connect', 'http://dead.example/', 'The address could not be reached.');
  expect(asRunFault(error, 'CONTEXT_GATHERING_ERROR')).toMatchObject({
    retryable: true,
    message: 'The address could not be reached.',
  });
});
