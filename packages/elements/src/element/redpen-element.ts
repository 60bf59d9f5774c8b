import type { Redpen, User } from '@redpen/client';
import {
  html,
  LitElement,
  nothing,
  type PropertyDeclarations,
  type PropertyValues,
  type TemplateResult,
} from 'lit';
import { ARRIVES, askForContext, type ContextSource, type RedpenContext, saidAnew } from './context.ts';
import { ENGLISH, type MessageKey, type Values, type Words, wordsFor } from './words.ts';

/** What all elements have in common: their provider, the language, events, and a place for announcements. */
export abstract class RedpenElement extends LitElement {
  static override properties: PropertyDeclarations = {
    client: { attribute: false },
    user: { attribute: false },
    organizationId: { attribute: 'organization-id' },
    documentId: { attribute: 'document-id' },
    headingLevel: { type: Number, attribute: 'heading-level' },
    said: { state: true },
  };

  /** Replaces that of the provider. */
  declare client: Redpen | undefined;
  declare user: User | undefined;
  declare organizationId: string | undefined;
  declare documentId: string | undefined;
  /** The level of the headings of the element, which is 2 by default. */
  declare headingLevel: number | undefined;
  declare private said: string | undefined;

  words: Words = ENGLISH;
  #source: ContextSource | undefined;
  #stop: (() => void) | undefined;
  #wanted: string | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener(ARRIVES, this.#findProvider);
    this.#findProvider();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener(ARRIVES, this.#findProvider);
    this.#stop?.();
    this.#stop = undefined;
    this.#source = undefined;
  }

  #findProvider = (): void => {
    const source = askForContext(this);
    if (source === this.#source) {
      this.#chooseWords();
      return;
    }
    this.#stop?.();
    this.#source = source;
    this.#stop = source?.subscribe(this.#takeContext);
    this.#takeContext();
  };

  #takeContext = (): void => {
    this.#chooseWords();
    this.requestUpdate();
  };

  #chooseWords(): void {
    const locale = this.#source?.get().locale ?? localeAround(this);
    if (locale === this.#wanted) return;
    this.#wanted = locale;
    const take = (words: Words) => {
      if (this.#wanted !== locale) return;
      this.words = words;
      this.requestUpdate();
    };
    const words = wordsFor(locale);
    // English remains if the texts cannot be loaded.
    if (words instanceof Promise) words.then(take, () => {});
    else take(words);
  }

  /** Its own properties over what the provider says. */
  protected get context(): RedpenContext {
    const given = this.#source?.get() ?? {};
    return {
      ...given,
      client: this.client ?? given.client,
      user: this.user ?? given.user,
      organizationId: this.organizationId ?? given.organizationId,
      documentId: this.documentId ?? given.documentId,
    };
  }

  protected t(key: MessageKey, values?: Values): string {
    return this.words.t(key, values);
  }

  /** Fires an event; false if a listener has prevented what follows it. */
  protected emit<D>(name: `rp-${string}`, detail: D): boolean {
    return this.dispatchEvent(
      new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable: true }),
    );
  }

  /** Has a screen reader say a sentence, by the one live region of the provider if there is one. */
  protected announce(text: string): void {
    if (this.#source) this.#source.announce(text);
    else this.said = saidAnew(text, this.said);
  }

  protected heading(content: unknown): TemplateResult {
    return html`<div class="heading" role="heading" aria-level=${this.headingLevel ?? 2}>${content}</div>`;
  }

  protected abstract content(): unknown;

  protected override render(): unknown {
    const { locale, dir } = this.words;
    return html`<div class="root" part="root" lang=${locale} dir=${dir}>${this.content()}</div>${
      this.#source ? nothing : html`<div class="unseen" role="status">${this.said ?? nothing}</div>`
    }`;
  }
}

/** The first render of an element may need what `willUpdate` computes from these. */
export type Changes = PropertyValues;

/** The language of the surroundings of an element, of the page, or of the browser. */
function localeAround(element: Element): string {
  for (let at: Element | undefined = element; at; ) {
    const found: Element | null = at.closest('[lang]');
    if (found?.getAttribute('lang')) return found.getAttribute('lang')!;
    const root: Node = at.getRootNode();
    at = root instanceof ShadowRoot ? root.host : undefined;
  }
  return navigator.language;
}
