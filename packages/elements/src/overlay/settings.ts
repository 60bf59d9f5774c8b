export type Corner = 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right';
export const CORNERS: readonly Corner[] = ['bottom-right', 'bottom-left', 'top-left', 'top-right'];

/** What the tag of the script says. */
export interface OverlaySettings {
  /** The address of the service, from which the script came. */
  baseUrl: string;
  organizationId: string;
  documentId: string;
  /** The API key to which the document belongs; by default the first one of the person who signs in. */
  apiKeyId: string | undefined;
  /** An operation of the page's own backend that answers a POST with a token. */
  tokenUrl: string | undefined;
  corner: Corner;
  locale: string | undefined;
}

/** Where the tag of the script lacks something, a sentence says what. */
export function readSettings(scriptUrl: string): OverlaySettings | string {
  const tags = [...document.querySelectorAll<HTMLScriptElement>('script[src]')];
  const tag = tags.find(({ src }) => src === scriptUrl) ?? tags.find(({ dataset }) => dataset.organization);
  const { organization, document: documentId, key, tokenUrl, corner, locale } = tag?.dataset ?? {};
  if (!organization || !documentId)
    return 'Redpen: the script needs data-organization and data-document on its tag.';
  return {
    baseUrl: new URL('..', scriptUrl).href.replace(/\/$/, ''),
    organizationId: organization,
    documentId,
    apiKeyId: key || undefined,
    tokenUrl: tokenUrl ? new URL(tokenUrl, document.baseURI).href : undefined,
    corner: CORNERS.find((one) => one === corner) ?? 'bottom-right',
    locale,
  };
}

/** The page as the service knows it: without its fragment, and without what only concerns the overlay. */
export function pageUrl(): string {
  const url = new URL(location.href);
  url.hash = '';
  url.searchParams.delete('redpen');
  return url.href;
}

/** What a tab keeps as long as it lives. Pages in a sandbox have no storage; there, it lives as long as the page. */
const fallback = new Map<string, string>();
export const kept = {
  get(name: string): string | undefined {
    try {
      return sessionStorage.getItem(`redpen-${name}`) ?? undefined;
    } catch {
      return fallback.get(name);
    }
  },
  set(name: string, value: string | undefined): void {
    try {
      if (value === undefined) sessionStorage.removeItem(`redpen-${name}`);
      else sessionStorage.setItem(`redpen-${name}`, value);
    } catch {
      if (value === undefined) fallback.delete(name);
      else fallback.set(name, value);
    }
  },
};
