import { describe, expect, it } from 'vitest';
import { headersIn, missingHeaders } from './header-lines.ts';

const HEADERS = {
  'webhook-id': 'evt_1',
  'webhook-timestamp': '1767260000',
  'webhook-signature': 'v1,aa= v1,bb=',
};

describe('pasted headers', () => {
  it.each([
    ['lines', 'Webhook-Id: evt_1\nwebhook-timestamp:1767260000\nwebhook-signature: v1,aa= v1,bb=\n'],
    [
      'flags of curl',
      "-H 'webhook-id: evt_1' \\\n  -H 'webhook-timestamp: 1767260000' \\\n-H 'webhook-signature: v1,aa= v1,bb='",
    ],
    [
      'an object of JavaScript',
      "'webhook-id': 'evt_1',\n'webhook-timestamp': '1767260000',\n'webhook-signature': 'v1,aa= v1,bb=',",
    ],
    ['JSON', JSON.stringify({ ...HEADERS, 'webhook-signature': ['v1,aa=', 'v1,bb='] })],
  ])('are read as %s', (_, text) => {
    expect(headersIn(text)).toEqual(HEADERS);
    expect(missingHeaders(headersIn(text))).toEqual([]);
  });

  it('may lack some', () => {
    expect(missingHeaders(headersIn('POST / HTTP/1.1\nwebhook-id: evt_1'))).toEqual([
      'webhook-timestamp',
      'webhook-signature',
    ]);
  });
});
