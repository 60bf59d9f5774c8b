/** What one client, one document and one process may use of the realtime server. */
export interface Limits {
  /** Bytes of one message from a client. */
  messageBytes: number;
  /** Messages that a connection may send a second, and at once after a pause. */
  messagesPerSecond: number;
  messageBurst: number;
  /** Bytes of messages, but for awareness, that a user may send a second, and at once; reading a document counts, too. */
  bytesPerSecond: number;
  byteBurst: number;
  /** Content of one editor, as it is stored. */
  documentBytes: number;
  /** How many shared types may lie within each other. */
  nesting: number;
  /** Updates in a row, and their bytes, that build upon others which did not come. */
  strandedUpdates: number;
  strandedBytes: number;
  /** Documents within one document. */
  subdocuments: number;
  /** Bytes of one awareness message, and how many clients a connection may speak for. */
  awarenessBytes: number;
  awarenessClients: number;
  /** Connections to one document on this process. */
  connectionsPerDocument: number;
  /** Documents over one connection. */
  documentsPerConnection: number;
  /** Connections of this process, and of them those from one address, that have not shown a token yet. */
  unauthenticatedConnections: number;
  unauthenticatedPerAddress: number;
  authenticateWithinMs: number;
  /** Tokens from one address that are not known, a second. */
  unknownTokensPerSecond: number;
  /** Connections to this process of one API key, and from one address. */
  connectionsPerKey: number;
  connectionsPerAddress: number;
  /** What all connections of one API key together may send to this process: see `costOf`. */
  keyMessagesPerSecond: number;
  keyMessageBurst: number;
  /** Bytes of messages of one API key that wait for their turn. */
  keyWaitingBytes: number;
  /** Messages and bytes that wait while a document is being opened. */
  queuedMessages: number;
  queuedBytes: number;
  /** Bytes that wait to be taken by a client. */
  backlogBytes: number;
  pingEveryMs: number;
  /** How often the rights of everybody connected are looked at again. */
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
  strandedUpdates: 100,
  strandedBytes: 262_144,
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
