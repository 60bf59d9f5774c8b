import { HocuspocusProvider } from '@hocuspocus/provider';

/** The live document that a page opens, as JSON after the `#` of its URL. */
export interface Place {
  /** URL of the realtime server. */
  url: string;
  /** Name of the document on it. */
  name: string;
  token: string;
  userId: string;
}

declare global {
  /** The interface of an editor page to the tests. */
  interface Window {
    provider: HocuspocusProvider;
    setEditable(isEditable: boolean): void;
  }
}

export const place: Place = JSON.parse(decodeURIComponent(location.hash.slice(1)));

/** Connects an editor as an ordinary application would. */
export function connect(): HocuspocusProvider {
  const { url, name, token } = place;
  const provider = new HocuspocusProvider({ url, name, token: async () => token });
  window.provider = provider;
  return provider;
}

export const element = document.querySelector<HTMLElement>('#editor')!;
