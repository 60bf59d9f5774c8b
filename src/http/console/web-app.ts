/** A file of the built packages. */
export interface WebFile {
  bytes: Buffer;
  /** Compressed copies, if they are smaller. */
  br?: Buffer | undefined;
  gzip?: Buffer | undefined;
  etag: string;
  mimeType: string;
  /** True if the name contains a hash of the content. */
  isImmutable: boolean;
}

/** Files by their path, such as `console/index.html`. */
export type WebFiles = ReadonlyMap<string, WebFile>;

export type WebState =
  | { state: 'ready'; files: WebFiles }
  | { state: 'building' }
  /** A sentence for people who open the console, and what the build printed. */
  | { state: 'failed'; reason: string; log?: string | undefined };

/** The console and the scripts for pages of others, which are built while the service already serves. */
export interface WebApp {
  state(): WebState | Promise<WebState>;
}
