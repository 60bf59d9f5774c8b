import type { Presence, PresenceState, PresenceStore } from '@redpen/client';
import { css, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { avatar, avatarStyle } from '../comments/avatar.ts';
import { RedpenElement } from '../element/redpen-element.ts';
import { StoreController } from '../element/store-controller.ts';
import { ground } from '../theme/sheets.ts';

const SHOWN = 5;

/**
 * `<rp-presence>`: the people who are on the document. It takes `users`, or keeps them up to date by the client of its
 * provider; with `join`, it shows the user of the page to the others.
 */
export class RpPresence extends RedpenElement {
  static override properties: PropertyDeclarations = {
    ...RedpenElement.properties,
    users: { attribute: false },
    store: { attribute: false },
    max: { type: Number },
    join: { type: Boolean },
  };

  static override styles = [
    ground,
    avatarStyle,
    css`
      :host {
        display: inline-block;
      }
      ul {
        display: flex;
        padding-inline-start: 6px;
      }
      li {
        position: relative;
        margin-inline-start: -6px;
        border-radius: 50%;
        box-shadow: 0 0 0 2px var(--_surface);
      }
      .is-away .avatar {
        background: #6b655f;
      }
      .state {
        position: absolute;
        inset-block-end: -1px;
        inset-inline-end: -1px;
        inline-size: 9px;
        block-size: 9px;
        border: 2px solid var(--_surface);
        border-radius: 50%;
        background: var(--_good);
        box-sizing: content-box;
        forced-color-adjust: none;
      }
      .is-away .state {
        background: var(--_dim);
      }
      .more {
        display: grid;
        place-items: center;
        inline-size: auto;
        min-inline-size: 26px;
        block-size: 26px;
        padding-inline: 6px;
        border-radius: 13px;
        background: var(--_tint);
        color: var(--_dim);
        font-size: 11px;
        font-weight: 650;
      }
    `,
  ];

  declare users: readonly Presence[] | undefined;
  declare store: PresenceStore | undefined;
  /** Most people that are shown; the others are counted. */
  declare max: number | undefined;
  declare join: boolean;

  #joined: PresenceStore | undefined;
  #live = new StoreController<PresenceState, PresenceStore>(this, () => {
    const { client, organizationId, documentId } = this.context;
    if (this.store || this.users) return this.store;
    if (!client || organizationId === undefined || documentId === undefined) return undefined;
    return client.live.presence({ organizationId, documentId });
  });

  constructor() {
    super();
    this.join = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('visibilitychange', this.#onVisibility);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('visibilitychange', this.#onVisibility);
    this.#leave();
  }

  #onVisibility = (): void => {
    this.#joined?.update({ status: document.hidden ? 'away' : 'online' }).catch(() => {});
  };

  #leave(): void {
    this.#joined?.leave().catch(() => {});
    this.#joined = undefined;
  }

  protected override updated(): void {
    const { client, user } = this.context;
    const { store } = this.#live;
    const canJoin = client?.connection.tokens !== undefined || user !== undefined;
    const wanted = this.join && canJoin ? store : undefined;
    if (wanted === this.#joined) return;
    this.#leave();
    if (!wanted || !this.emit('rp-presence-join', {})) return;
    this.#joined = wanted;
    // Others do not see the user then; everything else works.
    wanted.join(client?.connection.tokens ? {} : { user }).catch(() => {});
  }

  protected override content(): TemplateResult {
    const users = (this.users ?? this.#live.state?.users ?? []).filter(({ status }) => status !== 'offline');
    const most = this.max ?? SHOWN;
    const rest = users.slice(most);
    const nameOf = ({ name, email, userId }: Presence) => name || email || userId;
    const said = (user: Presence) =>
      user.status === 'away' ? this.t('presence.away', { name: nameOf(user) }) : nameOf(user);
    return html`<slot name="header"></slot><ul part="people" aria-label=${this.t('presence.people', { count: users.length })}>${users
      .slice(0, most)
      .map(
        (
          user,
        ) => html`<li class=${classMap({ 'is-away': user.status === 'away' })} part="person" title=${said(user)}>${avatar(user)}<span
        class="state" aria-hidden="true"></span><span class="unseen">${said(user)}</span></li>`,
      )}${
      rest.length > 0
        ? html`<li class="more" part="more" title=${this.words.list(rest.map(nameOf))}><span aria-hidden="true">+${this.words.number(rest.length)}</span><span
            class="unseen">${this.words.list(rest.map(nameOf))}</span></li>`
        : nothing
    }</ul>${users.length === 0 ? html`<slot name="empty"></slot>` : nothing}<slot name="actions"></slot>`;
  }
}
