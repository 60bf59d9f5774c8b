import type { Redpen, User } from '@redpen/client';

/** What a provider gives to the elements within it. */
export interface RedpenContext {
  readonly client?: Redpen | undefined;
  readonly locale?: string | undefined;
  readonly organizationId?: string | undefined;
  readonly documentId?: string | undefined;
  /** The person who uses the page. */
  readonly user?: User | undefined;
}

export interface ContextSource {
  get(): RedpenContext;
  subscribe(listener: () => void): () => void;
  /** Has a screen reader say a sentence. */
  announce(text: string): void;
}

/** An element asks for its provider with this event, and passes a function that takes it. */
export const ASKS = 'rp-context';
/** A provider has come into the document, perhaps after elements that have asked for it. */
export const ARRIVES = 'rp-provider-connected';

export type AskEvent = CustomEvent<(source: ContextSource) => void>;

export function askForContext(element: HTMLElement): ContextSource | undefined {
  let found: ContextSource | undefined;
  const take = (source: ContextSource) => {
    found = source;
  };
  element.dispatchEvent(new CustomEvent(ASKS, { bubbles: true, composed: true, detail: take }));
  return found;
}

/** The same sentence is only said again if it differs, so a space is added or removed. */
export const saidAnew = (text: string, before: string | undefined): string =>
  text === before ? `${text}\u00a0` : text;
