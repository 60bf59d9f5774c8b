import type { Page } from 'playwright-core';
import type { DeviceType } from '../../shapes/agents/run.ts';
import type { SignIn } from '../net/sign-in.ts';

/** `settled` suits callers that only read the document: it waits until scripts have inserted their initial content. */
export type WaitUntil = 'domcontentloaded' | 'load' | 'settled' | 'networkidle';

/** Requirements of a strategy on a page load; equal views share one load. */
export interface View {
  deviceType: DeviceType;
  waitUntil: WaitUntil;
  /** Kinds of subresources that are not fetched, for strategies that only read the DOM. */
  skip?: ('image' | 'media' | 'font' | 'stylesheet')[];
  /** True if the document is read and nothing else is done, so that its tab may show another page of the run. */
  onlyReads?: boolean;
}

export interface LoadedPage {
  page: Page;
  /** Final URL, after redirects. */
  url: string;
  /** HTTP status of the main document. */
  status: number;
  headers: Record<string, string>;
}

export type PageFailureKind =
  | 'navigation'
  | 'timeout'
  | 'crash'
  | 'aborted'
  | 'refused-host'
  | 'download'
  /** The page asks to sign in although the run is signed in. */
  | 'signed-out'
  /** The address would end the session of a run that is signed in. */
  | 'withheld';

/** The page could not be loaded, or its browser died while it was in use. */
export class PageFailure extends Error {
  override name = 'PageFailure';
  readonly kind: PageFailureKind;

  constructor(kind: PageFailureKind, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.kind = kind;
  }
}

export interface PageOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  run?: object;
  /** Credentials that the page's own requests to these origins get. */
  signIn?: SignIn;
  /** True if the page's main frame may navigate to the URL; by default it may go anywhere. */
  mayNavigate?: (url: string) => boolean;
}

/** The browser as callers see it; `browser-pool.ts` implements it. */
export interface Browser {
  /**
   * Loads the URL in a fresh context of the shared browser and passes the page to `use`. The context is closed when
   * `use` settles, when the signal aborts, or on timeout. `timeoutMs` covers load and use together and starts once a
   * page slot is free; default 60 000. Throws `PageFailure`.
   *
   * Pages of the same `run`, site and sign-in that are only read may follow one another in a context, which is cleared in
   * between: they share files in the cache and nothing else.
   */
  withPage<T>(
    url: string,
    view: View,
    options: PageOptions,
    use: (loaded: LoadedPage) => Promise<T>,
  ): Promise<T>;
  close(): Promise<void>;
}

/** The browser for one run, whose pages may follow one another in a tab. */
export function browserOfRun(browser: Browser): Browser {
  const run = {};
  return {
    withPage: (url, view, options, use) => browser.withPage(url, view, { ...options, run }, use),
    close: () => browser.close(),
  };
}
