import { beforeAll, expect, test } from 'vitest';
import { type EventStage, newEventStage } from '../../../test/live/event-stage.ts';

let stage: EventStage;
beforeAll(async () => {
  stage = await newEventStage();
});

test.each([
  'organizationId=a%00b',
  'organizationId=acme&documentId=%00',
  'organizationId=acme&lastEventId=%00',
  'organizationId=acme&lastEventId=a&lastEventId=b',
  'organizationId=acme&organizationId=other',
  'organizationId=acme&events=%00',
  'organizationId=acme&events=nothing',
  'organizationId=acme&__proto__=1',
  'organizationId=acme&unknown=1',
  'organizationId=%ED%A0%80&documentId=1&documentId=2',
  '%=%',
  '',
])('the query %j is refused', async (query) => {
  const url = `${stage.url({}).split('?')[0]}?${query}`;
  const response = await fetch(url, { headers: stage.workspace.keyHeaders });
  const { error } = (await response.json()) as { error: { status: string; message: string } };
  expect([response.status, error.status]).toEqual([400, 'INVALID_ARGUMENT']);
  expect(error.message).not.toBe('');
});

test('a query without an organization is refused with all its problems, the missing field first', async () => {
  const url = `${stage.url({}).split('?')[0]}?documentId=&events=nothing`;
  const response = await fetch(url, { headers: stage.workspace.keyHeaders });
  const { error } = (await response.json()) as { error: { message: string; details: object } };
  expect(error.message).toMatch(
    /^organizationId is required\.\ndocumentId must not be empty\.\nevents must /,
  );
  expect(error.details).toMatchObject({
    issues: [
      { path: ['organizationId'], code: 'invalid_type' },
      { path: ['documentId'], code: 'invalid_format' },
      { path: ['events'], code: 'custom' },
    ],
  });
});

test.each(['\u00ff\u00fe', ',', ' x ', '1e999', '-1', "' or 1=1", 'A'.repeat(22), '_'.repeat(22)])(
  'a stream that resumes from the invalid id %j is reset',
  async (id) => {
    const client = await stage.open({ ...stage.workspace.keyHeaders, 'last-event-id': id });
    await stage.receivedBy(client);
    expect(client.events[0]).toMatchObject({ event: 'reset', data: { reason: 'unknown_position' } });
  },
);
