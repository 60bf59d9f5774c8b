/** Why texts could not be turned into vectors. */
export class EmbedFailure extends Error {
  override name = 'EmbedFailure';
  readonly kind: 'not-configured' | 'rejected' | 'rate-limited' | 'unavailable' | 'timeout' | 'aborted';
  /** Milliseconds after which another try may do, where whoever refused said so. */
  readonly retryAfterMs: number | undefined;
  /** Which of the texts that were given is to blame, from 0, where it is known: the others may do without it. */
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

/** Turns texts into vectors of length one, so that the cosine of two is their scalar product. */
export interface Embedder {
  /**
   * Stands with every vector, such as `local:all-MiniLM-L6-v2-int8` or `openai:text-embedding-3-small`: only
   * vectors of one model may be compared.
   */
  readonly model: string;
  /**
   * The vectors of stored texts, in their order: one for each window of a text, at least one. It gives way to
   * `embedQuery`, so that an import does not keep searches waiting. Throws `EmbedFailure`.
   */
  embed(texts: readonly string[], options?: { signal?: AbortSignal }): Promise<Float32Array[][]>;
  /** The one vector of what is searched for. Throws `EmbedFailure`. */
  embedQuery(text: string, options?: { signal?: AbortSignal }): Promise<Float32Array>;
}

/** The models that vectors come from. */
export interface Embeddings {
  /** The one that REDPEN_EMBEDDINGS names. */
  current: Embedder;
  /** The one that made a stored vector, or undefined where this service is not set up to ask it. */
  of(model: string): Embedder | undefined;
  close(): Promise<void>;
}
