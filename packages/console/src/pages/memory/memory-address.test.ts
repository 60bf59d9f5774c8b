import { expect, test } from 'vitest';
import { listRequest, readAddress, searchRequest } from './memory-address.ts';

test('reads tab and filters, and nothing else', () => {
  expect(readAddress({ tab: 'judgments', decision: 'reject', judge: 'human', q: ' ', other: 1 })).toEqual({
    tab: 'judgments',
    decision: 'reject',
    judge: 'human',
  });
  expect(readAddress({ tab: 'nope', decision: 'nope', judge: 'nope', document: 'site' })).toEqual({});
});

test('a list and a search have the same filters', () => {
  const address = readAddress({ q: 'prices', decision: 'reject', organization: 'acme', document: 'site' });
  expect(listRequest(address)).toEqual({
    organizationId: 'acme',
    documentId: 'site',
    decision: 'reject',
    limit: 100,
  });
  expect(searchRequest(address)).toEqual({
    query: 'prices',
    organizationId: 'acme',
    documentId: 'site',
    filters: { decision: 'reject' },
    limit: 50,
  });
  expect(searchRequest({ q: 'prices' })).toEqual({ query: 'prices', limit: 50 });
});
