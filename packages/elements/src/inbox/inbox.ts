import type { Notification, NotificationsState, NotificationsStore } from '@redpen/client';
import { css, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { repeat } from 'lit/directives/repeat.js';
import { avatar, avatarStyle } from '../comments/avatar.ts';
import { bellIcon } from '../element/icons.ts';
import { type Changes, RedpenElement } from '../element/redpen-element.ts';
import { StoreController } from '../element/store-controller.ts';
import { controls, ground } from '../theme/sheets.ts';

const MOST_COUNTED = 99;

/**
 * `<rp-inbox>`: a bell with the number of unread notifications, which opens their list. It takes `notifications`, or keeps
 * those of the user up to date by the client of its provider.
 */
export class RpInbox extends RedpenElement {
  static override properties: PropertyDeclarations = {
    ...RedpenElement.properties,
    notifications: { attribute: false },
    store: { attribute: false },
    open: { type: Boolean, reflect: true },
  };

  static override styles = [
    ground,
    controls,
    avatarStyle,
    css`
      :host {
        position: relative;
        display: inline-block;
      }
      .bell {
        position: relative;
        inline-size: 36px;
        min-block-size: 36px;
        padding: 0;
      }
      .bell .icon-image {
        inline-size: 18px;
        block-size: 18px;
      }
      .number {
        position: absolute;
        inset-block-start: -4px;
        inset-inline-end: -4px;
        min-inline-size: 18px;
        padding-inline: 4px;
        border-radius: 9px;
        background: var(--_accent-fill);
        color: var(--_on-fill);
        font-size: 11px;
        font-weight: 700;
        line-height: 18px;
        text-align: center;
        forced-color-adjust: none;
      }
      .panel {
        position: absolute;
        z-index: 10;
        inset-block-start: calc(100% + 8px);
        inset-inline: auto 0;
        display: flex;
        flex-direction: column;
        inline-size: min(380px, 92vw);
        max-block-size: min(70vh, 560px);
        border: 1px solid var(--_line-strong);
        border-radius: var(--_radius-large);
        background: var(--_surface);
        box-shadow: var(--_shadow);
      }
      :host([align='start']) .panel {
        inset-inline: 0 auto;
      }
      .head {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 8px;
        min-block-size: 44px;
        padding-inline: 16px 8px;
        border-block-end: 1px solid var(--_line);
      }
      ul {
        overflow: auto;
      }
      .one {
        display: grid;
        grid-template-columns: auto minmax(0, 1fr) auto;
        gap: 2px 10px;
        inline-size: 100%;
        padding: 10px 16px;
        border: 0;
        border-block-end: 1px solid var(--_line);
        background: none;
        text-align: start;
      }
      li:last-child .one {
        border-block-end: 0;
      }
      .one:hover {
        background: var(--_tint);
      }
      .one:focus-visible {
        outline-offset: -2px;
      }
      .text {
        display: grid;
      }
      .is-unread .headline {
        font-weight: 600;
      }
      .said {
        display: -webkit-box;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 2;
        overflow: hidden;
        color: var(--_dim);
      }
      time {
        color: var(--_dim);
        font-size: var(--_size-small);
      }
      .dot {
        inline-size: 8px;
        block-size: 8px;
        margin-block-start: 9px;
        border-radius: 50%;
        background: var(--_accent);
        forced-color-adjust: none;
      }
    `,
  ];

  declare notifications: readonly Notification[] | undefined;
  declare store: NotificationsStore | undefined;
  declare open: boolean;

  #live = new StoreController<NotificationsState, NotificationsStore>(this, () => {
    const { client, organizationId, user } = this.context;
    if (this.store || this.notifications) return this.store;
    if (!client || organizationId === undefined) return undefined;
    if (client.connection.tokens) return client.live.notifications({ organizationId });
    return user && client.live.notifications({ organizationId, userId: user.userId });
  });

  constructor() {
    super();
    this.open = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('pointerdown', this.#onOutside);
  }

  #onOutside = (event: Event): void => {
    if (!event.composedPath().includes(this)) this.open = false;
  };

  protected override updated(changes: Changes): void {
    if (!changes.has('open')) return;
    if (this.open) document.addEventListener('pointerdown', this.#onOutside);
    else document.removeEventListener('pointerdown', this.#onOutside);
  }

  get #all(): readonly Notification[] {
    return this.notifications ?? this.#live.state?.notifications ?? [];
  }

  get #unread(): number {
    return this.#all.filter(({ isUnread }) => isUnread).length;
  }

  async #toggle(): Promise<void> {
    this.open = !this.open;
    await this.updateComplete;
    if (this.open) this.renderRoot.querySelector<HTMLElement>('.panel')?.focus();
  }

  #onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && this.open) {
      event.stopPropagation();
      this.open = false;
      this.renderRoot.querySelector<HTMLElement>('.bell')?.focus();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || !this.open) return;
    const all = [...this.renderRoot.querySelectorAll<HTMLElement>('.one')];
    const at = all.indexOf(event.target as HTMLElement) + step;
    event.preventDefault();
    all[Math.max(0, Math.min(all.length - 1, at))]?.focus();
  };

  #openOne(notification: Notification): void {
    const { id, targetAnnotationId, metadata } = notification;
    this.#mark(() => this.#live.store?.markRead([id]));
    if (this.emit('rp-notification-open', { notification, annotationId: targetAnnotationId, ...metadata }))
      this.open = false;
  }

  /** What cannot be marked now stays unread, and can be marked again. */
  #mark(act: () => Promise<void> | undefined): void {
    act()?.catch(() => {});
  }

  protected override content(): TemplateResult {
    const unread = this.#unread;
    const name = unread > 0 ? this.t('inbox.unread', { count: unread }) : this.t('inbox.name');
    return html`<div @keydown=${this.#onKey}>
      <button type="button" class="button bell" part="button bell" aria-expanded=${this.open} aria-haspopup="dialog"
        aria-label=${name} title=${this.t('inbox.name')} @click=${() => void this.#toggle()}>${bellIcon}${
          unread > 0
            ? html`<span class="number" part="number" aria-hidden="true">${
                unread > MOST_COUNTED ? `${this.words.number(MOST_COUNTED)}+` : this.words.number(unread)
              }</span>`
            : nothing
        }</button>
      ${this.open ? this.#panel(unread) : nothing}
    </div>`;
  }

  #panel(unread: number): TemplateResult {
    const error = this.#live.state?.error;
    return html`<div class="panel" part="panel" role="dialog" tabindex="-1" aria-label=${this.t('inbox.name')}>
      <div class="head">${this.heading(this.t('inbox.name'))}<slot name="header"></slot>${
        unread > 0
          ? html`<button type="button" class="button small quiet" part="button" @click=${() => this.#markAll()}>${this.t('inbox.markAll')}</button>`
          : nothing
      }</div>
      ${error ? html`<p class="problem" role="alert">${error.message}</p>` : nothing}
      ${
        this.#all.length === 0
          ? html`<slot name="empty"><p class="empty" part="empty">${this.t(
              this.#live.state?.status === 'loading' ? 'loading' : 'inbox.none',
            )}</p></slot>`
          : html`<ul>${repeat(
              this.#all,
              ({ id }) => id,
              (one) => this.#one(one),
            )}</ul>`
      }
      <slot name="actions"></slot>
    </div>`;
  }

  #markAll(): void {
    if (
      this.emit('rp-notifications-read', {
        ids: this.#all.filter(({ isUnread }) => isUnread).map(({ id }) => id),
      })
    )
      this.#mark(() => this.#live.store?.markAllRead());
  }

  #one(notification: Notification): TemplateResult {
    const { actionUser, displayHeadlineMessage, displayBodyMessage, timestamp, isUnread } = notification;
    return html`<li class=${classMap({ 'is-unread': isUnread === true })}><button type="button" class="one" part="notification"
      @click=${() => this.#openOne(notification)}>
      ${avatar(actionUser)}
      <span class="text"><span class="headline" dir="auto">${displayHeadlineMessage ?? actionUser?.name ?? ''}</span>
        ${displayBodyMessage ? html`<span class="said" dir="auto">${displayBodyMessage}</span>` : nothing}
        <time title=${this.words.time(timestamp)}>${this.words.ago(timestamp)}</time></span>
      ${isUnread ? html`<span class="dot"><span class="unseen">${this.t('threads.unread')}</span></span>` : html`<span></span>`}
    </button></li>`;
  }
}
