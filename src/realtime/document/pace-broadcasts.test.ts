import { type Connection, Document } from '@hocuspocus/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { paceBroadcasts } from './pace-broadcasts.ts';

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['performance', 'setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'],
  });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A document that one connection receives, and what it has received. */
function watched() {
  const document = new Document('home');
  const sent: Uint8Array[] = [];
  const connection = { messageAddress: 'home', send: (message: Uint8Array) => sent.push(message) };
  paceBroadcasts(document);
  document.addConnection(connection as unknown as Connection);
  const type = (text: string) => document.getText('content').insert(0, text);
  return { document, connection: connection as unknown as Connection, sent, type };
}

test('updates that come one by one are sent at once', () => {
  const { sent, type } = watched();
  for (const letter of 'abc') {
    const before = sent.length;
    type(letter);
    vi.advanceTimersByTime(0);
    expect(sent.length).toBe(before + 1);
    vi.advanceTimersByTime(100);
  }
});

test('updates in a row are sent together, a few milliseconds later', () => {
  const { sent, type } = watched();
  for (const letter of 'ab') {
    type(letter);
    vi.advanceTimersByTime(1);
  }
  const before = sent.length;
  for (const letter of 'cde') {
    type(letter);
    vi.advanceTimersByTime(1);
  }
  expect(sent.length).toBe(before);
  vi.advanceTimersByTime(1);
  expect(sent.length).toBe(before + 1);
});

test('what changes without a connection is not sent to a later one, and what changes then is', () => {
  const { document, connection, sent, type } = watched();
  document.removeConnection(connection);
  type('a');
  vi.advanceTimersByTime(1);
  type('b');
  vi.advanceTimersByTime(100);
  expect(sent).toEqual([]);
  document.addConnection(connection);
  type('c');
  vi.advanceTimersByTime(100);
  expect(sent.length).toBe(1);
});
