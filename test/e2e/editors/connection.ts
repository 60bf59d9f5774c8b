import { HocuspocusProvider } from '@hocuspocus/provider';

/** What a page of an editor is told behind the `#` of its address. */
export interface Place {
  /** Address of the realtime server. */
  url: string;
  /** Name of the document there. */
  name: string;
  token: string;
  userId: string;
}

declare global {
  /** What the pages of editors offer to tests. */
  interface Window {
    provider: HocuspocusProvider;
    setEditable(isEditable: boolean): void;
  }
}

export const place: Place = JSON.parse(decodeURIComponent(location.hash.slice(1)));

/** The connection of an editor, as anybody would make it. */
export function connect(): HocuspocusProvider {
  const { url, name, token } = place;
  const provider = new HocuspocusProvider({ url, name, token: async () => token });
  window.provider = provider;
  return provider;
}

export const element = document.querySelector<HTMLElement>('#editor')!;
