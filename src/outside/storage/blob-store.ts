export interface BlobStore {
  put(key: string, bytes: Uint8Array, mimeType: string): Promise<void>;
  get(key: string): Promise<{ bytes: Uint8Array; mimeType: string } | undefined>;
  /** Removes every blob whose key begins with the prefix. */
  deletePrefix(prefix: string): Promise<void>;
  /** Keys of all blobs, in no order. Blobs that are stored or deleted meanwhile may be among them or not. */
  list(): AsyncIterable<string>;
}

/** A file cannot be stored, read or deleted; the message is for callers, and the cause for the operator. */
export class BlobFailure extends Error {
  override name = 'BlobFailure';
  /** Error code of the system (EACCES) or of the bucket (NoSuchBucket). */
  readonly code: string;

  constructor(message: string, code: string, cause: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
