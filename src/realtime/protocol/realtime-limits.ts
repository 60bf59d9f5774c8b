/** Limits per client, document, API key, address and process. */
export interface Limits {
  /** Bytes of one message from a client. */
  messageBytes: number;
  /** Token bucket of one connection's messages. */
  messagesPerSecond: number;
  messageBurst: number;
  /** Token bucket of the bytes that one user sends, awareness apart; reading a document costs a share of its size. */
  bytesPerSecond: number;
  byteBurst: number;
  /** Stored content of one editor. */
  documentBytes: number;
  /** Depth of nested shared types. */
  nesting: number;
  /** Updates in a row, and their bytes, that depend on updates which have not arrived. */
  pendingUpdates: number;
  pendingBytes: number;
  /** Documents within one document. */
  subdocuments: number;
  /** Bytes of one awareness message, and Yjs clients per connection. */
  awarenessBytes: number;
  awarenessClients: number;
  /** Connections to one document on this process. */
  connectionsPerDocument: number;
  /** Documents over one connection. */
  documentsPerConnection: number;
  /** Connections without a valid token yet: of this process, and from one address. */
  unauthenticatedConnections: number;
  unauthenticatedPerAddress: number;
  authenticateWithinMs: number;
  /** Lookups of unknown tokens per second from one address. */
  unknownTokensPerSecond: number;
  /** Authenticated connections to this process: of one API key, and from one address. */
  connectionsPerKey: number;
  connectionsPerAddress: number;
  /** Token bucket of all messages of one API key to this process, in units of `costOf`. */
  keyMessagesPerSecond: number;
  keyMessageBurst: number;
  /** Bytes of messages of one API key that wait while it is over its budget. */
  keyWaitingBytes: number;
  /** Messages and bytes of one connection that wait while a document is being opened. */
  queuedMessages: number;
  queuedBytes: number;
  /** Bytes that a slow client has not received yet (backpressure). */
  backlogBytes: number;
  pingEveryMs: number;
  /** Interval at which the rights of connected clients are checked again. */
  checkRightsEveryMs: number;
}

export const defaultLimits: Limits = {
  messageBytes: 1_048_576,
  messagesPerSecond: 100,
  messageBurst: 200,
  bytesPerSecond: 131_072,
  byteBurst: 8_388_608,
  documentBytes: 10_485_760,
  nesting: 100,
  pendingUpdates: 100,
  pendingBytes: 262_144,
  subdocuments: 100,
  awarenessBytes: 32_768,
  awarenessClients: 20,
  connectionsPerDocument: 500,
  documentsPerConnection: 100,
  unauthenticatedConnections: 2_000,
  unauthenticatedPerAddress: 500,
  authenticateWithinMs: 5_000,
  unknownTokensPerSecond: 300,
  connectionsPerKey: 10_000,
  connectionsPerAddress: 50_000,
  keyMessagesPerSecond: 10_000,
  keyMessageBurst: 20_000,
  keyWaitingBytes: 67_108_864,
  queuedMessages: 200,
  queuedBytes: 262_144,
  backlogBytes: 4_194_304,
  pingEveryMs: 25_000,
  checkRightsEveryMs: 2_000,
};
