export interface FetchOptions {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Redirects to follow; the SSRF guard checks each hop. With 0, a redirect is returned as it is. Default 5. */
  maxRedirects?: number;
  /** Timeout of the whole exchange, redirects and body included. Default 15 000. */
  timeoutMs?: number;
  /** Decoded body bytes to keep; the rest is cut off and `truncated` set. Default 5 000 000. */
  maxBytes?: number;
  /**
   * Headers of a request and of each redirect that is followed, in place of what `headers` gives it; undefined refuses the
   * address. They reach no other hop, whatever its origin.
   */
  headersFor?: (url: string, headers: Record<string, string>) => Record<string, string> | undefined;
  /** True for a request without the credentials of the reviewed site, even to its own origin. */
  anonymous?: boolean;
  /** True if the body of this response should be read; by default every body is. */
  wantBody?: (status: number, headers: Record<string, string>) => boolean;
  signal?: AbortSignal;
}

export interface FetchResult {
  /** The address that answered, after redirects, with the fragment of the last redirect that had one. */
  url: string;
  status: number;
  /** Lower-case names; several values of one name are joined with `, `. */
  headers: Record<string, string>;
  body: Uint8Array;
  truncated: boolean;
  /** The redirects that were followed, in order: the requested address and its status. */
  redirects: { url: string; status: number }[];
}

/** Requests a URL through the SSRF guard. Throws only `FetchFailure`. */
export type SafeFetch = (url: string, options?: FetchOptions) => Promise<FetchResult>;

/** The hosts and addresses that URLs connect to, so that connections can be counted by them. */
export interface Targets {
  /** Resolves the URL's host again if its cached addresses are old. Never throws. */
  refresh(url: string): Promise<void>;
  /** The URL's host and each of its cached addresses, with the port. */
  of(url: string): string[];
}

export type FetchFailureKind =
  | 'invalid-url'
  | 'refused-host' // by the SSRF guard: internal address, forbidden scheme or port
  | 'withheld' // by the sender: an address that would end its session
  | 'dns'
  | 'connect'
  | 'tls'
  | 'reset'
  | 'timeout'
  | 'aborted'
  | 'redirect-loop'
  | 'too-many-redirects'
  | 'protocol';

/** A request failed; the message is for callers and reveals nothing about internal hosts. */
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
