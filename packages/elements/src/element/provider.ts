import type { ClientOptions, Redpen, User } from '@redpen/client';
import { css, html, LitElement, type PropertyDeclarations, type PropertyValues } from 'lit';
import { ARRIVES, ASKS, type AskEvent, type ContextSource, type RedpenContext, saidAnew } from './context.ts';
import { userOfToken } from './token-user.ts';

/**
 * `<rp-provider>` gives client, locale, theme, place and user to the elements within it. It takes a `client`, or makes
 * one for the service at `server`, with tokens that `getUserToken` returns or that a POST to `token-url` answers.
 */
export class RpProvider extends LitElement {
  static override properties: PropertyDeclarations = {
    client: { attribute: false },
    user: { attribute: false },
    getUserToken: { attribute: false },
    server: {},
    tokenUrl: { attribute: 'token-url' },
    locale: {},
    theme: { reflect: true },
    organizationId: { attribute: 'organization-id' },
    documentId: { attribute: 'document-id' },
    said: { state: true },
  };

  static override styles = css`
    :host {
      display: contents;
    }
    :host([theme='light']) {
      color-scheme: light;
    }
    :host([theme='dark']) {
      color-scheme: dark;
    }
    :host([theme='auto']) {
      color-scheme: light dark;
    }
    [role='status'] {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      overflow: hidden;
      clip-path: inset(50%);
      white-space: nowrap;
    }
  `;

  declare client: Redpen | undefined;
  declare user: User | undefined;
  declare getUserToken: ClientOptions['getUserToken'];
  declare server: string | undefined;
  declare tokenUrl: string | undefined;
  declare locale: string | undefined;
  /** Without it, the elements follow `color-scheme` of the page. `auto` follows the system. */
  declare theme: 'light' | 'dark' | 'auto' | undefined;
  declare organizationId: string | undefined;
  declare documentId: string | undefined;
  declare private said: string | undefined;

  #made: Redpen | undefined;
  /** The user whom the token of a client names. */
  #named: { client: Redpen; user: User | undefined } | undefined;
  #context: RedpenContext = {};
  #listeners = new Set<() => void>();

  readonly source: ContextSource = {
    get: () => this.#context,
    subscribe: (listener) => {
      this.#listeners.add(listener);
      return () => this.#listeners.delete(listener);
    },
    announce: (text) => {
      this.said = saidAnew(text, this.said);
    },
  };

  constructor() {
    super();
    this.addEventListener(ASKS, (event) => {
      event.stopPropagation();
      (event as AskEvent).detail(this.source);
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#share();
    document.dispatchEvent(new CustomEvent(ARRIVES));
  }

  protected override willUpdate(changes: PropertyValues): void {
    if (['server', 'tokenUrl', 'getUserToken'].some((name) => changes.has(name))) void this.#makeClient();
    this.#share();
  }

  #share(): void {
    const { locale, organizationId, documentId } = this;
    const client = this.client ?? this.#made;
    if (client && !this.user) this.#nameUser(client);
    const user = this.user ?? (this.#named?.client === client ? this.#named?.user : undefined);
    const next = { client, user, locale, organizationId, documentId };
    const before: Readonly<Record<string, unknown>> = { ...this.#context };
    if (Object.entries(next).every(([name, value]) => before[name] === value)) return;
    this.#context = next;
    for (const listener of this.#listeners) listener();
  }

  #nameUser(client: Redpen): void {
    if (this.#named?.client === client) return;
    this.#named = { client, user: undefined };
    void userOfToken(client).then((user) => {
      if (!user || this.#named?.client !== client) return;
      this.#named = { client, user };
      this.#share();
    });
  }

  async #makeClient(): Promise<void> {
    const { server, tokenUrl } = this;
    const getUserToken =
      this.getUserToken ?? (tokenUrl === undefined ? undefined : () => tokenFrom(tokenUrl));
    this.#made = undefined;
    if (server === undefined || !getUserToken) return;
    const { createClient } = await import('@redpen/client');
    if (server !== this.server || tokenUrl !== this.tokenUrl) return;
    this.#made = createClient({ baseUrl: server, getUserToken });
    this.#share();
  }

  protected override render(): unknown {
    return html`<slot></slot><div role="status">${this.said ?? ''}</div>`;
  }
}

/** The answer is the token itself, or JSON with the field `token`. */
async function tokenFrom(url: string): Promise<string> {
  const response = await fetch(url, { method: 'POST' });
  if (!response.ok) throw new Error(`There is no token: HTTP status ${response.status}.`);
  const text = (await response.text()).trim();
  return text.startsWith('{') ? String((JSON.parse(text) as { token?: unknown }).token) : text;
}
