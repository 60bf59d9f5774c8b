import { createRawClient, type RawClient } from '@redpen/client/raw';
import { type LiveStores, liveStores, type ThreadsStore } from '@redpen/client/stores';
import { render } from 'lit/html.js';
import { type AnchorWatch, type Resolutions, watchAnchors } from '../anchor/watch-anchors.ts';
import { firstViews } from './first-views.ts';
import { type Item, isOrphan, itemsOf, placeOf } from './items.ts';
import type { More } from './more/more.ts';
import { byReading, putAt, type Spot, spotOf } from './place-pins.ts';
import { CORNERS, type Corner, kept, type OverlaySettings, pageUrl } from './settings.ts';
import { watchKeys } from './shortcuts.ts';
import { baseStyles, sheetOf } from './styles.ts';
import { type Tokens, tokensOf } from './tokens.ts';
import type { Words } from './words.ts';

export type Access = 'signed out' | 'waiting' | 'in';

/** What the overlay shows. */
export interface View {
  access: Access;
  corner: Corner;
  items: readonly Item[];
  /** Items with a place on the page, in reading order. */
  pinned: readonly Item[];
  status: string;
  problem: string | undefined;
  pending: number;
  unsent: readonly { id: string; reason: string }[];
  isPanelOpen: boolean;
  openId: string | undefined;
  /** Ids of items whose decision can still be undone. */
  decided: readonly string[];
}

/** The comments of a page, over that page. */
export class Overlay {
  readonly host = document.createElement('rp-overlay');
  readonly root: ShadowRoot;
  readonly settings: OverlaySettings;
  readonly words: Words;
  readonly tokens: Tokens;
  /** Without the names of operations, which a page would load for nothing. */
  client: RawClient | undefined;
  store: ThreadsStore | undefined;
  view: View;
  #live: LiveStores | undefined;
  /** Also those that are decided, whose places are needed again after an undo. */
  #items: readonly Item[] = [];
  #stopStore: (() => void) | undefined;
  #page = '';
  #watch: AnchorWatch;
  #stops: (() => void)[] = [];
  #frame = 0;
  /** Items have changed since they were drawn. */
  #isStale = false;
  #more: Promise<More> | undefined;
  #loaded: More | undefined;

  constructor(settings: OverlaySettings, words: Words) {
    this.settings = settings;
    this.words = words;
    this.tokens = tokensOf(settings);
    // Closed, since what is said here is no content of the page, for scripts and agents alike.
    this.root = this.host.attachShadow({ mode: 'closed' });
    this.root.adoptedStyleSheets = [sheetOf(baseStyles)];
    this.host.lang = words.locale;
    this.view = {
      access: 'signed out',
      corner: CORNERS.find((one) => one === kept.get('corner')) ?? settings.corner,
      items: [],
      pinned: [],
      status: 'loading',
      problem: undefined,
      pending: 0,
      unsent: [],
      isPanelOpen: false,
      openId: undefined,
      decided: [],
    };
    this.#watch = watchAnchors(this.#takePlaces, (node) => node === this.host);
  }

  start(): void {
    document.documentElement.append(this.host);
    this.host.hidden = kept.get('hidden') === '1';
    this.#stops.push(watchKeys(this), this.#watchLayout(), this.#watchRoute());
    if (this.tokens.isReady) this.connect();
    else {
      // Browsers only open a window right after a click, and not when code has been loaded first.
      void this.more().catch(reportError);
      this.draw();
    }
  }

  stop(): void {
    for (const stop of this.#stops) stop();
    this.#stopStore?.();
    this.#watch.stop();
    this.host.remove();
  }

  hide(): void {
    kept.set('hidden', '1');
    this.host.hidden = true;
  }

  show(): void {
    kept.set('hidden', undefined);
    this.host.hidden = false;
    this.place();
  }

  change(change: Partial<View>): void {
    this.view = { ...this.view, ...change };
    this.draw();
  }

  /** Opens the store of this page, with a token that is there. */
  connect(): void {
    const { baseUrl, organizationId, documentId } = this.settings;
    this.client ??= createRawClient({ baseUrl, getUserToken: () => this.tokens.get() });
    this.#live ??= liveStores(this.client.connection);
    this.#page = pageUrl();
    this.#stopStore?.();
    const store = this.#live.threads({ organizationId, documentId, pageUrl: this.#page });
    this.store = store;
    this.#stopStore = store.subscribe(() => {
      if (this.store === store) this.#takeThreads(store);
    });
    this.change({ access: 'waiting', problem: undefined });
  }

  #takeThreads(store: ThreadsStore): void {
    const { status, error, threads, pending, unsent } = store.get();
    // Without a page's backend, only the person can get another token.
    const isOut = status === 'failed' && error?.status === 'UNAUTHENTICATED' && !this.settings.tokenUrl;
    if (isOut) this.tokens.forget();
    const before = this.#items;
    this.#items = itemsOf(threads, before);
    const isSame = this.#items.length === before.length && this.#items.every((one, at) => one === before[at]);
    this.view = {
      ...this.view,
      access: isOut ? 'signed out' : status === 'loading' && threads.length === 0 ? 'waiting' : 'in',
      status,
      problem: status === 'failed' && !isOut ? error?.message : undefined,
      pending,
      unsent: unsent.map(({ id, error: { message } }) => ({ id, reason: message })),
    };
    if (!isSame) this.#search();
    this.#drawSoon();
  }

  /** Leaves out items that are decided, as long as this can be undone. */
  hideDecided(decided: readonly string[]): void {
    this.view = { ...this.view, decided };
    this.#sort();
    this.draw();
  }

  #search(): void {
    this.#watch.want(
      this.#items.flatMap(({ id, anchor, thread }) =>
        anchor ? [{ id, anchor, top: thread.positionY ?? undefined }] : [],
      ),
    );
  }

  #takePlaces = (places: Resolutions): void => {
    this.#items = this.#items.map((item) =>
      places.has(item.id) ? { ...item, place: { found: places.get(item.id) } } : item,
    );
    this.#drawSoon();
  };

  #sort(): void {
    const spots = new Map<Item, Spot>();
    const items = this.#items.filter(({ id }) => !this.view.decided.includes(id));
    for (const item of items) {
      const found = placeOf(item);
      const spot = found && spotOf(found, item.anchor);
      if (spot) spots.set(item, spot);
    }
    const pinned = [...spots].sort(([, one], [, other]) => byReading(one, other)).map(([item]) => item);
    this.view = { ...this.view, items, pinned };
  }

  get orphans(): Item[] {
    return this.view.items.filter(isOrphan);
  }

  draw(): void {
    render(firstViews(this), this.root);
    this.#loaded?.draw();
    this.place();
  }

  /** Puts the pins where their places are now. */
  place(): void {
    if (this.host.hidden) return;
    const layer = this.root.querySelector<HTMLElement>('.layer');
    if (!layer) return;
    const box = layer.getBoundingClientRect();
    const { clientWidth } = document.documentElement;
    const items = new Map(this.view.pinned.map((item) => [item.id, item]));
    const spots = [...layer.querySelectorAll<HTMLElement>('.pin')].map((pin) => {
      const item = items.get(pin.dataset.id ?? '');
      const found = item && placeOf(item);
      return { pin, spot: found && spotOf(found, item.anchor) };
    });
    // All are measured before the first is moved, so that the page is laid out once.
    for (const { pin, spot } of spots) putAt(pin, spot, box, clientWidth);
    this.#loaded?.place();
  }

  #placeSoon = (): void => {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.#isStale) {
        this.#isStale = false;
        this.#sort();
        this.draw();
      } else this.place();
    });
  };

  /** Draws with the next frame, so that the page is laid out once for all that is new until then. */
  #drawSoon(): void {
    this.#isStale = true;
    this.#placeSoon();
  }

  #watchLayout(): () => void {
    const sizes = new ResizeObserver(this.#placeSoon);
    sizes.observe(document.documentElement);
    if (document.body) sizes.observe(document.body);
    // Pins scroll with the page by themselves; only areas that scroll within it need this.
    const onScroll = ({ target }: Event) => {
      if (target !== document || this.view.openId !== undefined) this.#placeSoon();
    };
    addEventListener('scroll', onScroll, { capture: true, passive: true });
    addEventListener('resize', this.#placeSoon);
    addEventListener('load', this.#placeSoon, true);
    return () => {
      sizes.disconnect();
      removeEventListener('scroll', onScroll, { capture: true });
      removeEventListener('resize', this.#placeSoon);
      removeEventListener('load', this.#placeSoon, true);
    };
  }

  /** Applications change their address without a new page. */
  #watchRoute(): () => void {
    let href = location.href;
    const check = () => {
      // Mutations are many, and most leave the address as it is.
      if (location.href === href) return;
      href = location.href;
      if (this.#page !== '' && pageUrl() !== this.#page && this.view.access !== 'signed out') {
        this.#items = [];
        this.view = { ...this.view, items: [], pinned: [], openId: undefined };
        this.connect();
      }
    };
    const { navigation } = globalThis as { navigation?: EventTarget };
    const changes = new MutationObserver(check);
    changes.observe(document.documentElement, { childList: true, subtree: true });
    navigation?.addEventListener('currententrychange', check);
    addEventListener('popstate', check);
    return () => {
      changes.disconnect();
      navigation?.removeEventListener('currententrychange', check);
      removeEventListener('popstate', check);
    };
  }

  /** Cards, list and composer, which are loaded when they are first needed. */
  more(): Promise<More> {
    this.#more ??= import('./more/more.ts').then(({ newMore }) => {
      this.#loaded = newMore(this);
      return this.#loaded;
    });
    return this.#more;
  }

  /** Opens the card of an item, and brings its place into view. */
  async open(id: string): Promise<void> {
    (await this.more()).open(id);
  }

  /** Opens the next item in reading order, or the one before. */
  async walk(step: 1 | -1): Promise<void> {
    const { pinned, openId } = this.view;
    if (pinned.length === 0) return;
    const at = pinned.findIndex(({ id }) => id === openId);
    const next = at < 0 ? (step > 0 ? 0 : pinned.length - 1) : (at + step + pinned.length) % pinned.length;
    await this.open(pinned[next]!.id);
  }

  say(text: string): void {
    const region = this.root.querySelector('.unseen');
    if (region) region.textContent = text;
  }

  get focused(): Element | null {
    return this.root.activeElement;
  }
}
