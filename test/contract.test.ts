import { expect, test } from 'vitest';
import { compareContracts } from './contract/compare-contracts.ts';
import { follow } from './contract/compare-schemas.ts';
import { currentContract, type Part, releasedContract } from './contract/contract.ts';

const current = currentContract();

test('everything that the last release offered is still offered', () => {
  expect(
    compareContracts(releasedContract(), current),
    'What clients of the last release send and receive must stay valid. CONTRIBUTING.md says when to renew the contract.',
  ).toEqual([]);
});

/** What an operation takes and returns, in a document that may be changed. */
function partsOf(document: Part, path: string): { data: Part; result: Part } {
  const { requestBody, responses } = document.paths[path].post;
  const schemaOf = ({ content }: Part): Part => content['application/json'].schema;
  return {
    data: follow(document, schemaOf(requestBody).properties.data),
    result: follow(document, schemaOf(responses['200']).properties.result),
  };
}

const ADD = '/v2/presence/add';
const COUNT = '/v2/users/count';
const EVENTS = '/v2/events';

/** Changes that break clients, with the sentence that reports each. */
const losses: Record<string, [change: (document: Part) => void, report: string]> = {
  'a removed operation': [
    (document) => {
      delete document.paths[COUNT];
    },
    `POST ${COUNT} was removed.`,
  ],
  'a removed field of an answer': [
    (document) => {
      delete partsOf(document, COUNT).result.properties.data.properties.count;
    },
    `POST ${COUNT} answer 200.result.data.count was removed.`,
  ],
  'a field of an answer that may be missing': [
    (document) => {
      partsOf(document, COUNT).result.properties.data.required = [];
    },
    `POST ${COUNT} answer 200.result.data.count may now be missing.`,
  ],
  'a removed request field': [
    (document) => {
      delete partsOf(document, COUNT).data.properties.folderId;
    },
    `POST ${COUNT} request.data.folderId was removed.`,
  ],
  'a newly required request field': [
    (document) => {
      partsOf(document, COUNT).data.required.push('documentId');
    },
    `POST ${COUNT} request.data.documentId is now required.`,
  ],
  'a narrowed limit': [
    (document) => {
      partsOf(document, ADD).data.properties.users.maxItems = 999;
    },
    `POST ${ADD} request.data.users has the maxItems 999, which was 1000.`,
  ],
  'a new limit': [
    (document) => {
      partsOf(document, ADD).data.properties.users.uniqueItems = true;
    },
    `POST ${ADD} request.data.users has the uniqueItems true, which was none.`,
  ],
  'a removed value in a request': [
    (document) => {
      const { items } = partsOf(document, ADD).data.properties.users;
      follow(document, items).properties.status.enum.pop();
    },
    `POST ${ADD} request.data.users.*.status no longer has the value "offline".`,
  ],
  'a changed type in a request': [
    (document) => {
      partsOf(document, COUNT).data.properties.folderId = { type: 'integer' };
    },
    `POST ${COUNT} request.data.folderId was of the type string, and is now integer.`,
  ],
  'a changed type in an answer': [
    (document) => {
      partsOf(document, COUNT).result.properties.data.properties.count = { type: ['integer', 'null'] };
    },
    `POST ${COUNT} answer 200.result.data.count was of the type integer, and is now integer or null.`,
  ],
  'an answer of a further type': [
    (document) => {
      const { properties } = partsOf(document, COUNT).result.properties.data;
      properties.count = { anyOf: [properties.count, { type: 'string' }] };
    },
    `POST ${COUNT} answer 200.result.data.count may now be of the type string.`,
  ],
  'a removed parameter': [
    (document) => {
      document.paths[EVENTS].get.parameters = document.paths[EVENTS].get.parameters.filter(
        ({ name }: Part) => name !== 'events',
      );
    },
    `GET ${EVENTS} query events was removed.`,
  ],
  'a removed credential': [
    (document) => {
      const { get } = document.paths[EVENTS];
      get.security = get.security.filter((alternative: Part) => !alternative.apiKey);
    },
    `GET ${EVENTS} no longer takes apiKey with authToken.`,
  ],
  'a removed field of a webhook message': [
    (document) => {
      const { requestBody } =
        document.webhooks['presence.update']?.post ?? Object.values<Part>(document.webhooks)[0]!.post;
      delete follow(document, requestBody.content['application/json'].schema).properties.webhookId;
    },
    'message.webhookId was removed.',
  ],
};

test.each(Object.entries(losses))('reports %s', (_, [change, report]) => {
  const changed = structuredClone(current);
  change(changed);
  const reported = compareContracts(current, changed);
  expect(reported.some((sentence) => sentence.endsWith(report))).toBe(true);
  expect(compareContracts(current, structuredClone(current))).toEqual([]);
});

test('lets everything be added', () => {
  const changed = structuredClone(current);
  changed.paths['/v2/users/fresh'] = structuredClone(changed.paths[COUNT]);
  const { data, result } = partsOf(changed, COUNT);
  data.properties.fresh = { type: 'string' };
  data.properties.userIds.maxItems = 31;
  data.properties.folderId = { anyOf: [data.properties.folderId, { type: 'null' }] };
  result.properties.data.properties.fresh = { type: 'string' };
  result.properties.data.required.push('fresh');
  const { items } = partsOf(changed, ADD).data.properties.users;
  follow(changed, items).properties.status.enum.push('asleep');
  expect(compareContracts(current, changed)).toEqual([]);
});
