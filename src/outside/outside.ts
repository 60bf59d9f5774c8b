import type { Page } from 'playwright-core';
import type { DeviceType } from '../shapes/agents/run.ts';
import type { BrowserAgent } from './browser-agent/browser-agent.ts';
import type { Embeddings } from './embed/embedder.ts';
import type { ReadFile } from './files/file-reader.ts';
import type { Lighthouse } from './lighthouse/lighthouse-report.ts';
import type { ConnectMcp } from './mcp/mcp.ts';
import type { Models } from './models/models.ts';

/** Everything that leaves the process, as one handed-in value; `boot.ts` builds it. */
export interface Outside {
  fetch: SafeFetch;
  /** The same with connections of its own, so that receivers that hang take none from anything else. */
  webhooks: SafeFetch;
  /** Where that fetch connects to. */
  webhookTargets: Targets;
  browser: Browser;
  blobs: BlobStore;
  mail: Mail;
  models: Models;
  connectMcp: ConnectMcp;
  lighthouse: Lighthouse;
  browserAgent: BrowserAgent;
  readFile: ReadFile;
  embeddings: Embeddings;
}

export interface FetchOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Hops followed, each judged anew. 0 answers a redirect as it is. Default 5. */
  maxRedirects?: number;
  /** For the whole exchange, redirects and body included. Default 15 000. */
  timeoutMs?: number;
  /** Decoded body bytes kept; the rest is cut and `truncated` set. Default 5 000 000. */
  maxBytes?: number;
  /** Whether to read the body of an answer; by default always. */
  wantBody?: (status: number, headers: Record<string, string>) => boolean;
  signal?: AbortSignal;
}

export interface FetchResult {
  /** The address that answered, after redirects, with the fragment of the last redirect that had one. */
  url: string;
  status: number;
  /** Lower-case names; several values of one name joined with `, `. */
  headers: Record<string, string>;
  body: Uint8Array;
  truncated: boolean;
  /** The redirects followed, in order: the address asked and its status. */
  redirects: { url: string; status: number }[];
}

/** Asks a URL through the outbound guard. Never throws but a `FetchFailure`. */
export type SafeFetch = (url: string, options?: FetchOptions) => Promise<FetchResult>;

/** What URLs lead to, so that connections can be counted by it. */
export interface Targets {
  /** Looks the addresses of the URL's host up again where that was long ago. Never throws. */
  refresh(url: string): Promise<void>;
  /** The URL's host, and each address that is known of it, with the port. */
  of(url: string): string[];
}

export type FetchFailureKind =
  | 'invalid-url'
  | 'refused-host' // the outbound guard's word: internal address, forbidden scheme or port
  | 'dns'
  | 'connect'
  | 'tls'
  | 'reset'
  | 'timeout'
  | 'aborted'
  | 'redirect-loop'
  | 'too-many-redirects'
  | 'protocol';

export class FetchFailure extends Error {
  override name = 'FetchFailure';
  readonly kind: FetchFailureKind;
  readonly url: string;
  readonly redirects: { url: string; status: number }[];

  constructor(
    kind: FetchFailureKind,
    url: string,
    message: string,
    options: { redirects?: { url: string; status: number }[]; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.url = url;
    this.redirects = options.redirects ?? [];
  }
}

export type { DeviceType } from '../shapes/agents/run.ts';
/** `settled` is for who only reads the document: its scripts have put in what they put in by themselves. */
export type WaitUntil = 'domcontentloaded' | 'load' | 'settled' | 'networkidle';

/** What a page strategy needs of a page load; equal views share one load. */
export interface View {
  deviceType: DeviceType;
  waitUntil: WaitUntil;
  /** Kinds of subresource not fetched, for strategies that only read the DOM. */
  skip?: ('image' | 'media' | 'font' | 'stylesheet')[];
}

export interface LoadedPage {
  page: Page;
  /** Where the load ended, after redirects. */
  url: string;
  /** HTTP status of the main document. */
  status: number;
  headers: Record<string, string>;
}

export type PageFailureKind = 'navigation' | 'timeout' | 'crash' | 'aborted' | 'refused-host' | 'download';

/** The page could not be loaded, or its browser went away while it was used. */
export class PageFailure extends Error {
  override name = 'PageFailure';
  readonly kind: PageFailureKind;

  constructor(kind: PageFailureKind, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }
}

export interface Browser {
  /**
   * Loads the URL in a fresh context of the one shared browser and hands the page over; the context is
   * closed when `use` settles, when the signal aborts, or when the time is over, which counts for load and
   * use together from when the page's turn has come. By default it is 60 000. Throws `PageFailure`.
   */
  withPage<T>(
    url: string,
    view: View,
    options: { signal?: AbortSignal; timeoutMs?: number },
    use: (loaded: LoadedPage) => Promise<T>,
  ): Promise<T>;
  close(): Promise<void>;
}

export interface BlobStore {
  put(key: string, bytes: Uint8Array, mimeType: string): Promise<void>;
  get(key: string): Promise<{ bytes: Uint8Array; mimeType: string } | undefined>;
  /** Removes every blob whose key begins with the prefix. */
  deletePrefix(prefix: string): Promise<void>;
}

export interface MailMessage {
  to: { address: string; name?: string | undefined };
  fromName?: string | undefined;
  replyTo?: string | undefined;
  subject: string;
  text: string;
  html: string;
  /** The part before the @; the same for every try, so that readers see one that came twice as one. */
  messageId: string;
  /** A template that the provider holds, in place of the texts. */
  template?: { id: string; data: Record<string, unknown> } | undefined;
}

/** Over which way: the operator's server, or a provider with the key and sender of whoever sends. */
export type Carrier = { type: 'smtp' } | { type: 'sendgrid'; apiKey: string; from: string };

/** The mail was not taken. `permanent`: it will never be. */
export class MailFailure extends Error {
  override name = 'MailFailure';
  readonly kind: 'temporary' | 'permanent';
  /** The next message would fare alike: the server itself is the trouble. */
  readonly affectsAll: boolean;

  constructor(
    kind: 'temporary' | 'permanent',
    message: string,
    options: { cause?: unknown; affectsAll?: boolean } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.affectsAll = options.affectsAll ?? false;
  }
}

export interface Mail {
  /** Hands a message over. Throws nothing but a `MailFailure`. */
  send(message: MailMessage, carrier: Carrier): Promise<void>;
}
