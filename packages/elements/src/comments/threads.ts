import type { Thread, ThreadsState, ThreadsStore } from '@redpen/client';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { repeat } from 'lit/directives/repeat.js';
import { chevronIcon } from '../element/icons.ts';
import { RedpenElement } from '../element/redpen-element.ts';
import { severityShape } from '../element/severity-mark.ts';
import { StoreController } from '../element/store-controller.ts';
import { shortAddress } from '../findings/listed-finding.ts';
import { controls, ground, severityMarks } from '../theme/sheets.ts';
import { avatar, avatarStyle } from './avatar.ts';
import type { Written } from './composer.ts';
import { plainComment } from './plain-comment.ts';
import { authorOf, writtenBy } from './thread-actions.ts';
import { isByAgent, isResolved, isShown, NO_FILTER, partOrphans, type ThreadFilter } from './thread-list.ts';
import { threadsStyle } from './threads-style.ts';

/** Cards that are shown at first, and more at each click. */
const CARDS = 50;
const EXCERPT = 160;

type Toggle = Exclude<keyof ThreadFilter, 'show'>;

/**
 * `<rp-threads>`: the threads of a document in a column, with filters; a thread opens in its place. It takes `threads`,
 * or keeps those of the document up to date by the client of its provider.
 */
export class RpThreads extends RedpenElement {
  static override properties: PropertyDeclarations = {
    ...RedpenElement.properties,
    threads: { attribute: false },
    store: { attribute: false },
    orphans: { attribute: false },
    pageUrl: { attribute: 'page-url' },
    selected: { reflect: true },
    isReadOnly: { type: Boolean, attribute: 'readonly' },
    noComposer: { type: Boolean, attribute: 'no-composer' },
    filter: { attribute: false },
    cards: { state: true },
  };

  static override styles = [ground, controls, severityMarks, avatarStyle, threadsStyle];

  declare threads: readonly Thread[] | undefined;
  declare store: ThreadsStore | undefined;
  /** Ids of threads whose place on the page is gone. */
  declare orphans: Iterable<string> | undefined;
  /** The address of the page that is looked at, for the filter of the page. */
  declare pageUrl: string | undefined;
  /** The id of the thread that is open. */
  declare selected: string | undefined;
  declare isReadOnly: boolean;
  declare noComposer: boolean;
  declare filter: ThreadFilter;
  declare private cards: number;

  #live = new StoreController<ThreadsState, ThreadsStore>(this, () => {
    const { client, organizationId, documentId } = this.context;
    if (this.store || this.threads) return this.store;
    if (!client || organizationId === undefined || documentId === undefined) return undefined;
    return client.live.threads({ organizationId, documentId });
  });

  constructor() {
    super();
    this.isReadOnly = false;
    this.noComposer = false;
    this.filter = NO_FILTER;
    this.cards = CARDS;
  }

  get #all(): readonly Thread[] {
    return this.threads ?? this.#live.state?.threads ?? [];
  }

  #select(thread: Thread): void {
    const { annotationId } = thread;
    const isOpen = this.selected === annotationId;
    if (!this.emit('rp-thread-select', { annotationId: isOpen ? undefined : annotationId, thread })) return;
    this.selected = isOpen ? undefined : annotationId;
    if (isOpen || !thread.isUnread || this.isReadOnly) return;
    // It stays unread if this fails, and is tried again when it is opened the next time.
    this.#live.store?.markRead(annotationId).catch(() => {});
  }

  #change(filter: ThreadFilter): void {
    if (this.emit('rp-threads-filter', { ...filter })) this.filter = filter;
  }

  async #add(comment: Written): Promise<void> {
    const { client, user } = this.context;
    if (!this.emit('rp-thread-add', { comment })) return;
    const page = this.pageUrl === undefined ? {} : { pageInfo: { url: this.pageUrl } };
    await this.#live.store?.add(writtenBy(comment, authorOf(client, user)), page);
  }

  #onKey = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const target = event.composedPath()[0] as HTMLElement;
    if (!target.classList.contains('open')) return;
    const all = [...this.renderRoot.querySelectorAll<HTMLElement>('.open')];
    const steps: Record<string, number> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    all[Math.max(0, Math.min(all.length - 1, all.indexOf(target) + step))]?.focus();
  };

  protected override content(): unknown {
    const { user } = this.context;
    const state = this.#live.state;
    const shown = this.#all.filter(
      (thread) =>
        thread.annotationId === this.selected || isShown(thread, this.filter, user?.userId, this.pageUrl),
    );
    const { placed, orphaned } = partOrphans(shown, this.orphans);
    const problem = state?.status === 'failed' ? (state.error?.message ?? '') : undefined;
    return html`<slot name="header"></slot>
      ${this.#bar()}
      ${problem === undefined ? nothing : html`<p class="problem" role="alert">${problem}</p>`}
      ${state?.status === 'offline' ? html`<p class="note" role="status">${this.t('threads.offline')}</p>` : nothing}
      ${state && state.unsent.length > 0 ? this.#unsent() : nothing}
      <div @keydown=${this.#onKey}>
        ${this.#list(placed.slice(0, this.cards))}
        ${
          placed.length > this.cards
            ? html`<button type="button" class="button small quiet" part="button" @click=${() => {
                this.cards += 4 * CARDS;
              }}>${this.t('findings.more', { count: placed.length - this.cards })}</button>`
            : nothing
        }
        ${
          orphaned.length > 0
            ? html`<section class="orphans" part="orphans">${this.heading(this.t('threads.orphans'))}${this.#list(orphaned)}</section>`
            : nothing
        }
      </div>
      ${
        shown.length > 0
          ? nothing
          : html`<slot name="empty"><p class="empty" part="empty">${
              state?.status === 'loading'
                ? this.t('loading')
                : this.t(this.#all.length > 0 ? 'threads.noMatch' : 'threads.none')
            }</p></slot>`
      }
      ${
        this.isReadOnly || this.noComposer
          ? nothing
          : html`<div class="foot"><rp-composer part="composer" draft-key=${`new ${this.context.documentId ?? ''}`} label=${this.t('threads.add')}
              .client=${this.context.client} .organizationId=${this.context.organizationId} .documentId=${this.context.documentId}
              .send=${(comment: Written) => this.#add(comment)}></rp-composer></div>`
      }
      <slot name="actions"></slot>`;
  }

  #bar(): TemplateResult {
    const { filter } = this;
    const { user } = this.context;
    const toggles: [name: Toggle, isOffered: boolean][] = [
      ['isMine', user !== undefined],
      ['isAgent', this.#all.some(isByAgent)],
      ['isUnread', filter.isUnread || this.#all.some(({ isUnread }) => isUnread)],
      ['isOnPage', this.pageUrl !== undefined],
    ];
    const shows = ['open', 'resolved', 'all'] as const;
    return html`<div class="bar" part="filter" role="group" aria-label=${this.t('threads.filter')}>
      <select class="field" part="field" aria-label=${this.t('threads.show')} @change=${(event: Event) => {
        const { value } = event.target as HTMLSelectElement;
        this.#change({ ...filter, show: shows.find((one) => one === value) ?? 'open' });
      }}>${shows.map(
        (show) =>
          html`<option value=${show} ?selected=${show === filter.show}>${this.t(`threads.show.${show}`)}</option>`,
      )}</select>
      ${toggles
        .filter(([, isOffered]) => isOffered)
        .map(
          ([name]) => html`<button type="button" class="chip" part="chip" aria-pressed=${filter[name]}
            @click=${() => this.#change({ ...filter, [name]: !filter[name] })}>${this.t(`threads.${name}`)}</button>`,
        )}
    </div>`;
  }

  #unsent(): TemplateResult {
    const { store } = this.#live;
    const { unsent = [] } = this.#live.state ?? {};
    return html`<div class="problem" role="alert"><p>${this.t('threads.unsent', { count: unsent.length })}</p>${unsent.map(
      ({ id, error }) => html`<p>${error?.message} <button type="button" class="button small" part="button"
        @click=${() => void store?.discard(id)}>${this.t('threads.discard')}</button></p>`,
    )}</div>`;
  }

  #list(threads: readonly Thread[]): TemplateResult {
    return html`<ul class="list" part="list">${repeat(
      threads,
      ({ annotationId }) => annotationId,
      (thread) => this.#card(thread),
    )}</ul>`;
  }

  #openTitle({ annotationNumber, pageInfo, agent }: Thread): TemplateResult {
    const page = pageInfo?.url ?? agent?.url;
    return html`${chevronIcon}<span class="dim">#${this.words.number(annotationNumber)}${
      page ? html` <span dir="ltr">${shortAddress(page)}</span>` : nothing
    }</span>`;
  }

  #closedTitle(thread: Thread): TemplateResult {
    const { comments, from, isUnread, lastUpdated, agent } = thread;
    const [first] = comments;
    const author = from ?? first?.from;
    const text = agent?.reason?.title ?? plainComment(first);
    const severity = agent?.reason?.severity;
    return html`${avatar(author, isByAgent(thread))}
      <span class="about">
        <span class="by"><b><bdi>${author?.name || author?.email || author?.userId || this.t('thread.unknown')}</bdi></b>
          <time title=${this.words.time(lastUpdated)}>${this.words.ago(lastUpdated)}</time>
          ${isUnread ? html`<span class="dot"><span class="unseen">${this.t('threads.unread')}</span></span>` : nothing}
        </span>
        <span class="excerpt" dir="auto">${severity ? html`${severityShape(severity, this.words)} ` : nothing}${
          text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text
        }</span>
        ${comments.length > 1 ? html`<span class="replies">${this.t('threads.replies', { count: comments.length - 1 })}</span>` : nothing}
      </span>`;
  }

  #card(thread: Thread): TemplateResult {
    const { annotationId, isUnread } = thread;
    const isOpen = annotationId === this.selected;
    const classes = { 'is-open': isOpen, 'is-unread': isUnread === true, 'is-closed': isResolved(thread) };
    return html`<li class="card ${classMap(classes)}" part="thread">
      <button type="button" class="open" part="thread-title" aria-expanded=${isOpen} @click=${() => this.#select(thread)}>${
        isOpen ? this.#openTitle(thread) : this.#closedTitle(thread)
      }</button>
      ${
        isOpen
          ? html`<div class="inside"><rp-thread compact .thread=${thread} .store=${this.#live.store} ?readonly=${this.isReadOnly}
              .client=${this.context.client} .user=${this.context.user} .organizationId=${this.context.organizationId}
              .documentId=${this.context.documentId}></rp-thread></div>`
          : nothing
      }
    </li>`;
  }
}
