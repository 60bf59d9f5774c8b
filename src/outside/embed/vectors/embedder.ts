/** Texts could not be embedded. */
export class EmbedFailure extends Error {
  override name = 'EmbedFailure';
  readonly kind: 'not-configured' | 'rejected' | 'rate-limited' | 'unavailable' | 'timeout' | 'aborted';
  /** Delay after which a retry may succeed, if the provider or the model's process named one. */
  readonly retryAfterMs: number | undefined;
  /** Index of the text that caused the failure, if known; the others can be embedded without it. */
  readonly place: number | undefined;

  constructor(
    kind: EmbedFailure['kind'],
    message: string,
    options: { retryAfterMs?: number | undefined; place?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs;
    this.place = options.place;
  }
}

/** Turns texts into vectors of length one, so that the cosine of two vectors is their scalar product. */
export interface Embedder {
  /**
   * Stored with every vector, such as `local:all-MiniLM-L6-v2-int8` or `openai:text-embedding-3-small`: only vectors
   * of the same model can be compared.
   */
  readonly model: string;
  /**
   * Embeds texts to be stored: for each text, one vector per window, at least one. `embedQuery` overtakes it, so that
   * an import does not block searches. Throws `EmbedFailure`.
   */
  embed(texts: readonly string[], options?: { signal?: AbortSignal }): Promise<Float32Array[][]>;
  /** Embeds a search query into a single vector. Throws `EmbedFailure`. */
  embedQuery(text: string, options?: { signal?: AbortSignal }): Promise<Float32Array>;
}

export interface Embeddings {
  /** The model of REDPEN_EMBEDDINGS. */
  current: Embedder;
  /** The model of a stored vector; undefined if it is not configured. */
  of(model: string): Embedder | undefined;
  close(): Promise<void>;
}
