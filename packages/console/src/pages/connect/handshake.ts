/** The request of an overlay on a page of another origin. Everything in it was written by that page. */
export interface ConnectRequest {
  /** The origin that the page says it has. The browser has to confirm it. */
  origin: string;
  organization: string;
  document: string | undefined;
  nonce: string;
  /** The API key; by default the first one that the member may use. */
  key: string | undefined;
}

const NONCE = /^[\w-]{16,200}$/;
const MAX_ID_LENGTH = 1_024;

/** Reads the query of the popup; a string says what is wrong with it. */
export function connectRequestOf(query: string): ConnectRequest | string {
  const read = new URLSearchParams(query);
  const value = (name: string) => read.get(name) || undefined;
  const [origin = '', organization = '', nonce = ''] = [
    value('origin'),
    value('organization'),
    value('nonce'),
  ];
  if (!isOrigin(origin)) return 'The page does not say its origin.';
  if (organization === '' || organization.length > MAX_ID_LENGTH)
    return 'The page does not say which organization its comments belong to.';
  if (!NONCE.test(nonce)) return 'The page sent no nonce of 16 characters or more.';
  return { origin, organization, document: value('document'), nonce, key: value('key') };
}

/** True for an origin as browsers write it, of http or https. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}

/** The message with which the page that has opened the popup answers. */
export interface Greeting {
  type: 'redpen-connect';
  nonce: string;
}

/**
 * Waits until the window that opened the popup has said the nonce, and returns its origin as the browser states it. The
 * popup asks first, so that the page need not guess when the popup listens.
 */
export function confirmOrigin(
  { nonce, origin }: ConnectRequest,
  opener: Window,
  signal: AbortSignal,
): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  window.addEventListener(
    'message',
    (event: MessageEvent<unknown>) => {
      if (event.source === opener && isGreeting(event.data, nonce) && event.origin === origin)
        resolve(event.origin);
    },
    { signal },
  );
  // To that origin only: a page that names another one is never answered.
  opener.postMessage({ type: 'redpen-ready', nonce }, origin);
  return promise;
}

function isGreeting(data: unknown, nonce: string): data is Greeting {
  return (
    typeof data === 'object' &&
    data !== null &&
    'type' in data &&
    data.type === 'redpen-connect' &&
    'nonce' in data &&
    data.nonce === nonce
  );
}
