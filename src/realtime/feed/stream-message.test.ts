import { expect, test } from 'vitest';
import type { LiveEvent } from '../../store/live/live-events.ts';
import { wholeMessage } from './stream-message.ts';

const lastUpdate = '2026-11-23T12:00:00.000Z';

const editorEvent = (more: { data?: string; truncated?: true }): LiveEvent => {
  const { data, ...beside } = more;
  return {
    seq: 1,
    apiKeyId: 'key_1',
    organizationId: 'acme',
    documentId: 'home',
    name: 'crdt.update_data',
    at: 1,
    createdAt: 1,
    size: 100,
    eventId: 'event_1',
    payload: {
      editorId: 'body',
      crdtData: { id: 'body', ...(data !== undefined && { data }), lastUpdate },
      ...beside,
    },
  };
};

test('a changed editor is announced without its content, whether webhooks get that or not', () => {
  const expected = {
    organizationId: 'acme',
    documentId: 'home',
    at: 1,
    editorId: 'body',
    crdtData: { id: 'body', lastUpdate },
  };
  for (const event of [editorEvent({ data: 'Hello' }), editorEvent({ truncated: true })]) {
    const { name, text } = wholeMessage(event);
    expect(name).toBe('crdt.update_data');
    expect(JSON.parse(text.split('\ndata: ')[1]!)).toEqual(expected);
  }
});
