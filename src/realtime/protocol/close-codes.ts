/** A WebSocket close code (RFC 6455 7.4) and its reason. */
export interface Closing {
  code: number;
  reason: string;
}

/** Each cause has its own code, so that clients can react to it. */
export const closings = {
  restarting: { code: 1012, reason: 'The service is restarting.' },
  busy: { code: 1013, reason: 'Changes cannot be stored right now; try again.' },
  malformed: { code: 4400, reason: 'A message could not be read.' },
  unauthenticated: { code: 4401, reason: 'The token is not valid any more.' },
  forbidden: { code: 4403, reason: 'Access to the document has changed or ended.' },
  notAuthenticatedInTime: { code: 4408, reason: 'No valid token came in time.' },
  deleted: { code: 4410, reason: 'The editor was deleted.' },
  documentTooLarge: { code: 4413, reason: 'The document has grown to its limit.' },
  nestedTooDeep: { code: 4414, reason: 'The content is nested too deeply.' },
  strandedUpdates: { code: 4415, reason: 'Too many updates build upon others that never came.' },
  presenceTooLarge: { code: 4416, reason: 'The awareness state is too large.' },
  tooManyMessages: { code: 4429, reason: 'Too many messages or too much data in a short time.' },
  tooManyConnections: { code: 4430, reason: 'Too many connections to this document.' },
  tooSlow: { code: 4431, reason: 'The connection does not take what is sent to it.' },
  displaced: { code: 4432, reason: 'Too many connections wait to be authenticated; try again.' },
  tooManyOfKey: { code: 4433, reason: 'The API key has as many live connections as it may have.' },
  tooManyOfAddress: { code: 4434, reason: 'The address has as many live connections as it may have.' },
  tooManyUnknownTokens: { code: 4435, reason: 'Too many unknown tokens came from this address.' },
  overQuota: { code: 4436, reason: 'The API key has stored as much as it may.' },
} as const satisfies Record<string, Closing>;

export type Cause = keyof typeof closings;
