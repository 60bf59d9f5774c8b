import type { PageScreenshot, ScreenshotTile } from '@redpen/client';
import { html, nothing, type PropertyDeclarations } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { repeat } from 'lit/directives/repeat.js';
import { type Changes, RedpenElement } from '../element/redpen-element.ts';
import { setVars } from '../element/set-vars.ts';
import { ground, severityMarks } from '../theme/sheets.ts';
import { type Box, inReadingOrder, type Pin, type PinnedFinding, pinsOf, withinPicture } from './pin.ts';
import { pinsStyle } from './pins-style.ts';
import { placePins } from './place-pins.ts';
import { type TileUrl, TileUrls } from './tile-urls.ts';

interface Picture {
  width: number;
  height: number;
  truncated: boolean;
  tiles: readonly ScreenshotTile[];
}

interface Shown {
  pin: Pin;
  box: Box;
  at: { x: number; y: number };
}

/** Pins on one step of this many pixels of width share their places, so that resizing does not move them all the time. */
const WIDTH_STEP = 40;

/**
 * `<rp-pins>`: a picture of a page with numbered pins on the elements that findings or comments are about. It takes a
 * `screenshot` of the API, or `src`, `width` and `height`.
 */
export class RpPins extends RedpenElement {
  static override properties: PropertyDeclarations = {
    ...RedpenElement.properties,
    screenshot: { attribute: false },
    src: {},
    width: { type: Number },
    height: { type: Number },
    pageUrl: { attribute: 'page-url' },
    findings: { attribute: false },
    pins: { attribute: false },
    selected: { reflect: true },
    zoom: { reflect: true },
    tileUrl: { attribute: false },
    over: { reflect: true },
    pageSize: { state: true },
    shownWidth: { state: true },
    lit: { attribute: false },
  };

  static override styles = [ground, severityMarks, pinsStyle];

  /** As in pages of runs, in reports and in `findings/get`. */
  declare screenshot: PageScreenshot | undefined;
  /** A picture in place of a screenshot, and its size in CSS pixels of the page. */
  declare src: string | undefined;
  declare width: number | undefined;
  declare height: number | undefined;
  /** Address of the page, for the name of the picture. */
  declare pageUrl: string | undefined;
  /** Findings whose places are shown. */
  declare findings: readonly PinnedFinding[] | undefined;
  /** Pins, in addition to those of findings. */
  declare pins: readonly Pin[] | undefined;
  /** The id of the pin that is selected. */
  declare selected: string | undefined;
  /** `fit` to the width of the element, which is the default, or `actual` size. */
  declare zoom: 'fit' | 'actual' | undefined;
  /** The address of a tile, for callers whose pictures need no client. */
  declare tileUrl: TileUrl | undefined;
  /** `page` puts the pins over the page itself, at their places in it. */
  declare over: 'page' | undefined;
  declare private pageSize: { width: number; height: number };
  declare private shownWidth: number;
  /** The id of the pin that is highlighted: the one under the pointer, or one that the page names. */
  declare lit: string | undefined;

  #urls = new TileUrls(() => this.requestUpdate());
  #size: ResizeObserver | undefined;
  #shown: Shown[] = [];

  constructor() {
    super();
    this.shownWidth = 800;
    this.pageSize = { width: 0, height: 0 };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#size = new ResizeObserver((entries) => {
      this.#measurePage();
      // The page is observed, too, and its width is not that of the picture.
      const width = entries.find(({ target }) => target === this)?.contentRect.width ?? 0;
      if (width > 0) this.shownWidth = Math.max(WIDTH_STEP, Math.floor(width / WIDTH_STEP) * WIDTH_STEP);
    });
    this.#size.observe(this);
    this.#size.observe(document.body);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#size?.disconnect();
    this.#urls.release();
  }

  /** The size of the page without the pins themselves. */
  #measurePage(): void {
    if (this.over !== 'page') return;
    const { clientWidth, clientHeight } = document.documentElement;
    const height = Math.max(clientHeight, Math.ceil(document.body.getBoundingClientRect().bottom + scrollY));
    if (clientWidth !== this.pageSize.width || height !== this.pageSize.height)
      this.pageSize = { width: clientWidth, height };
  }

  /** Scrolls the picture, and nothing around it, to a pin, and gives it the focus if asked to. */
  async reveal(id: string, { focus = false } = {}): Promise<void> {
    await this.updateComplete;
    const frame = this.renderRoot.querySelector('.frame');
    const pin = this.#button(id);
    if (!frame || !pin) return;
    const [inner, outer] = [pin.getBoundingClientRect(), frame.getBoundingClientRect()];
    const isVisible =
      inner.top >= outer.top &&
      inner.bottom <= outer.bottom &&
      inner.left >= outer.left &&
      inner.right <= outer.right;
    if (!isVisible) {
      const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
      frame.scrollBy({
        top: inner.top - outer.top - outer.height / 3,
        left: inner.left - outer.left - outer.width / 3,
        behavior: isCalm ? 'auto' : 'smooth',
      });
    }
    if (focus) pin.focus({ preventScroll: true });
  }

  #button(id: string): HTMLButtonElement | undefined {
    return [...this.renderRoot.querySelectorAll<HTMLButtonElement>('.pin')].find(
      ({ dataset }) => dataset.id === id,
    );
  }

  get #picture(): Picture | undefined {
    const { screenshot, src, width, height } = this;
    if (this.over === 'page') return { ...this.pageSize, truncated: false, tiles: [] };
    if (screenshot) return screenshot;
    if (src === undefined || !width || !height) return undefined;
    return {
      width,
      height,
      truncated: false,
      tiles: [{ artifactId: src, url: src, x: 0, y: 0, width, height }],
    };
  }

  protected override willUpdate(_changes: Changes): void {
    const picture = this.#picture;
    if (!picture) {
      this.#shown = [];
      return;
    }
    const all = inReadingOrder([...pinsOf(this.findings ?? []), ...(this.pins ?? [])]);
    const visible = all.flatMap((pin) => {
      const box = withinPicture(pin, picture);
      return box ? [{ pin, box, number: pin.number }] : [];
    });
    const shownWidth =
      this.zoom === 'actual' || this.over === 'page'
        ? picture.width
        : Math.min(picture.width, this.shownWidth);
    const places = placePins(visible, picture, picture.width / shownWidth);
    this.#shown = visible.map(({ pin, box }, at) => ({ pin, box, at: places[at]! }));
  }

  protected override updated(changes: Changes): void {
    if (changes.has('selected') && this.selected !== undefined) void this.reveal(this.selected);
  }

  #select(pin: Pin): void {
    if (this.emit('rp-pin-select', { id: pin.id, pin })) this.selected = pin.id;
  }

  #light(pin: Pin | undefined): void {
    if (this.lit === pin?.id) return;
    this.lit = pin?.id;
    this.emit('rp-pin-hover', { id: pin?.id, pin });
  }

  #onKey = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const steps: Record<string, number> = {
      n: 1,
      ArrowDown: 1,
      ArrowRight: 1,
      p: -1,
      ArrowUp: -1,
      ArrowLeft: -1,
    };
    const last = this.#shown.length - 1;
    const focused = (event.target as HTMLElement).closest<HTMLElement>('.pin')?.dataset.id;
    const at = this.#shown.findIndex(({ pin }) => pin.id === focused);
    if (at < 0) return;
    const step = steps[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    const next = event.key === 'Home' ? 0 : event.key === 'End' ? last : step && at + step;
    if (next !== undefined) {
      event.preventDefault();
      const id = this.#shown[Math.max(0, Math.min(last, next))]!.pin.id;
      void this.reveal(id, { focus: true });
    } else if (event.key === 'Escape' && this.selected !== undefined) {
      event.preventDefault();
      if (this.emit('rp-pin-close', { id: this.selected })) this.selected = undefined;
    }
  };

  protected override content(): unknown {
    const picture = this.#picture;
    return html`<slot name="header"></slot>${
      picture
        ? this.#pictureOf(picture)
        : html`<slot name="empty"><p class="empty" part="empty">${this.t('pins.none')}</p></slot>`
    }`;
  }

  #pictureOf(picture: Picture): unknown {
    const { width, height, truncated, tiles } = picture;
    const count = this.#shown.length;
    const name =
      this.over === 'page'
        ? this.t('pins.onPage', { count })
        : this.t('pins.picture', { page: this.pageUrl ?? '', count });
    const isBroken = tiles.some((tile) => this.#urls.hasFailed(tile));
    // A frame that scrolls can be reached by the keyboard if nothing in it can.
    const tabIndex = this.#shown.length === 0 ? 0 : nothing;
    return html`<div class="frame" part="frame" role="group" aria-label=${name} tabindex=${tabIndex}>
        <div class="canvas" part="canvas" ${setVars({ '--w': width, '--h': height, '--dir': this.words.dir })}
          @keydown=${this.#onKey}>
          ${tiles.map((tile) => this.#tile(tile))}
          ${repeat(
            this.#shown,
            ({ pin }) => `box ${pin.id}`,
            (shown) => this.#box(shown),
          )}
          ${repeat(
            this.#shown,
            ({ pin }) => pin.id,
            (shown, index) => this.#pin(shown, index, picture),
          )}
        </div>
      </div>
      ${
        truncated || isBroken
          ? html`<p class="notes" part="notes">${
              isBroken ? this.t('pins.broken') : this.t('pins.truncated')
            }</p>`
          : nothing
      }
      <slot name="actions"></slot>`;
  }

  #tile(tile: ScreenshotTile): unknown {
    const { x, y, width, height } = tile;
    const vars = setVars({ '--x': x, '--y': y, '--tw': width, '--th': height });
    const url = this.#urls.find(tile, this.tileUrl, this.context.client);
    return url === undefined || this.#urls.hasFailed(tile)
      ? html`<div class="tile" ${vars}></div>`
      : html`<img class="tile" part="tile" alt="" decoding="async" loading="lazy" src=${url} ${vars}
          @error=${() => this.#urls.fail(tile)}>`;
  }

  #classes(pin: Pin): Record<string, boolean> {
    return {
      [`k-${pin.severity ?? (pin.kind === 'comment' ? 'comment' : 'info')}`]: true,
      'is-closed': pin.isClosed === true,
      'is-unread': pin.isUnread === true,
      'is-lit': pin.id === this.selected || pin.id === this.lit,
    };
  }

  #box({ pin, box }: Shown): unknown {
    return html`<div class="box ${classMap(this.#classes(pin))}" part="box"
      ${setVars({ '--x': box.x, '--y': box.y, '--bw': box.width, '--bh': box.height })}></div>`;
  }

  #pin({ pin, at }: Shown, index: number, { width, height }: Picture): unknown {
    const { id, number, title, severity, kind } = pin;
    const isSelected = id === this.selected;
    // One stop for the tab key; N, P and the arrows go from pin to pin.
    const isStop = this.#shown.some((one) => one.pin.id === this.selected) ? isSelected : index === 0;
    const values = { number, title, position: index + 1, count: this.#shown.length };
    const name =
      kind === 'comment'
        ? this.t('pins.comment', values)
        : severity
          ? this.t('pins.finding', { ...values, severity: this.t(`severity.${severity}`) })
          : this.t('pins.pin', values);
    const place = { below: at.y < height * 0.1, 'at-end': at.x > width * 0.6 };
    return html`<button type="button" class="pin ${classMap(this.#classes(pin))}" part="pin" data-id=${id}
      tabindex=${isStop ? 0 : -1} aria-label=${name} aria-current=${isSelected ? 'true' : nothing}
      ${setVars({ '--px': at.x, '--py': at.y })}
      @click=${() => this.#select(pin)}
      @pointerenter=${() => this.#light(pin)} @pointerleave=${() => this.#light(undefined)}
      ><span class="face" part="pin-face">${this.words.number(number)}</span
      ><span class="hint ${classMap(place)}" part="pin-hint" aria-hidden="true">${title}</span></button>`;
  }
}
