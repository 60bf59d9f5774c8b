import type { UploadedAttachment } from '@redpen/client';
import { render } from 'lit/html.js';
import { type Item, isOrphan, placeOf } from '../items.ts';
import type { Overlay } from '../overlay.ts';
import { spotOf } from '../place-pins.ts';
import { sheetOf } from '../styles.ts';
import { Attached } from './attached.ts';
import { type Crop, cropOf } from './crop.ts';
import { type Deciding, decidingOf, type Verdict } from './decide.ts';
import { moreStyles } from './more-styles.ts';
import { moreViews } from './more-views.ts';
import {
  draftKey,
  type Subject,
  selectedRange,
  subjectOfElement,
  subjectOfRange,
  threadAbout,
} from './new-comment.ts';
import { describe, pick } from './pick.ts';
import { placeBeside, showOnTop } from './place-box.ts';
import { askForToken } from './sign-in.ts';

/** What is not needed to show pins: the list, cards, and the composer. */
export class More {
  readonly overlay: Overlay;
  /** What a comment is being written about. */
  subject: Subject | undefined;
  isPicking = false;
  /** The opened finding is being rejected, and a reason may be written. */
  isRejecting = false;
  problem: string | undefined;
  readonly drafts = new Map<string, string>();
  readonly deciding: Deciding;
  readonly #attached = new Map<string, Attached>();
  /** How the place of the opened item looked, if it is gone. */
  crop: Crop | undefined;
  readonly #container: HTMLElement;
  #returnTo: HTMLElement | undefined;
  #endPicking: (() => void) | undefined;

  constructor(overlay: Overlay) {
    this.overlay = overlay;
    overlay.root.adoptedStyleSheets = [...overlay.root.adoptedStyleSheets, sheetOf(moreStyles)];
    this.#container = overlay.root.querySelector('.more')!;
    this.deciding = decidingOf(overlay, (ids) => this.#takeDecided(ids));
  }

  get opened(): Item | undefined {
    const { items, openId } = this.overlay.view;
    return items.find(({ id }) => id === openId);
  }

  /** The files of the draft with this key. */
  attachedTo(key: string): Attached {
    const attached = this.#attached.get(key) ?? new Attached(this.overlay);
    this.#attached.set(key, attached);
    return attached;
  }

  /** Keeps a draft; what was wrong before may be right now. */
  write(key: string, text: string): void {
    this.drafts.set(key, text);
    if (this.problem === undefined) return;
    this.problem = undefined;
    this.overlay.draw();
  }

  /** The button that had the focus goes with the file. */
  detach(attached: Attached, file: UploadedAttachment): void {
    attached.remove(file);
    this.#focus('.composer textarea');
  }

  /** Takes the files of a draft that is sent. */
  takeAttached(key: string): Attached['field'] {
    const { field } = this.attachedTo(key);
    this.#attached.delete(key);
    return field;
  }

  draw(): void {
    render(moreViews(this), this.#container);
    for (const box of this.#container.querySelectorAll<HTMLElement>('[popover]')) showOnTop(box);
    this.place();
  }

  /** Keeps card and composer beside what they are about. */
  place(): void {
    const item = this.opened;
    const found = item && placeOf(item);
    const card = this.#container.querySelector<HTMLElement>('.card');
    if (card) placeBeside(card, found && spotOf(found, item.anchor)?.box);
    const composer = this.#container.querySelector<HTMLElement>('.composer');
    const subject = this.subject;
    if (composer && subject)
      placeBeside(composer, (subject.range ?? subject.element).getBoundingClientRect());
    const aim = this.#container.querySelector<HTMLElement>('.aim');
    const about = subject ? (subject.range ?? subject.element) : (found?.range ?? found?.element);
    if (aim && !this.isPicking) this.#aimAt(about?.getBoundingClientRect());
  }

  #aimAt(box: DOMRect | undefined): void {
    const aim = this.#container.querySelector<HTMLElement>('.aim');
    if (!aim) return;
    aim.hidden = !box;
    if (!box) return;
    aim.style.translate = `${box.left}px ${box.top}px`;
    aim.style.inlineSize = `${box.width}px`;
    aim.style.blockSize = `${box.height}px`;
  }

  #focus(selector: string): void {
    this.#container.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
  }

  /** The item leaves the page, and the focus is where it can be brought back. */
  decide(item: Item, verdict: Verdict, reason?: string): void {
    const { overlay, deciding } = this;
    this.isRejecting = false;
    this.#returnTo = undefined;
    overlay.view = { ...overlay.view, openId: undefined };
    deciding.decide(item, verdict, reason);
    this.#focus('.undo');
    overlay.say(overlay.words.t(verdict, { title: item.title }));
  }

  undo = (): void => {
    const id = this.deciding.undo();
    if (id === undefined) return;
    this.open(id);
    // Closing the card leads to its pin, which is back.
    this.#returnTo = undefined;
  };

  #takeDecided(ids: readonly string[]): void {
    const { overlay } = this;
    const hadFocus = overlay.focused?.closest('.decided');
    overlay.hideDecided(ids);
    if (hadFocus && !overlay.focused?.isConnected)
      overlay.root.querySelector<HTMLElement>('.tab')?.focus({ preventScroll: true });
  }

  setRejecting(isRejecting: boolean): void {
    this.isRejecting = isRejecting;
    this.overlay.draw();
    this.#focus(isRejecting ? '.reason input' : '.card .reject');
  }

  /** The links to pictures end, so they are asked for anew. */
  async #loadCrop(item: Item): Promise<void> {
    const { overlay } = this;
    // A picture is an extra: without it, the words of the card remain.
    const crop = await cropOf(overlay.client!, item).catch(() => undefined);
    if (!crop || overlay.view.openId !== item.id) return;
    this.crop = crop;
    overlay.draw();
  }

  open(id: string): void {
    const { overlay } = this;
    const focused = overlay.focused;
    if (focused instanceof HTMLElement && !focused.closest('.card')) this.#returnTo = focused;
    this.subject = undefined;
    this.isRejecting = false;
    this.problem = undefined;
    this.crop = undefined;
    overlay.change({ openId: id });
    const item = this.opened;
    if (item && isOrphan(item)) void this.#loadCrop(item);
    const found = item && placeOf(item);
    const box = found && spotOf(found, item.anchor)?.box;
    if (box && (box.top < 0 || box.bottom > innerHeight))
      found.element.scrollIntoView({ block: 'center', behavior: 'instant' });
    overlay.place();
    this.#focus('.card');
    if (item?.thread.isUnread) overlay.store?.markRead(id).catch(() => {});
  }

  close(): void {
    this.isRejecting = false;
    const { openId } = this.overlay.view;
    this.overlay.change({ openId: undefined });
    const pin = [...this.overlay.root.querySelectorAll<HTMLElement>('.pin')].find(
      ({ dataset }) => dataset.id === openId,
    );
    const back = this.#returnTo?.isConnected ? this.#returnTo : pin;
    this.#returnTo = undefined;
    back?.focus({ preventScroll: true });
  }

  togglePanel(): void {
    const isPanelOpen = !this.overlay.view.isPanelOpen;
    this.overlay.change({ isPanelOpen });
    if (isPanelOpen) this.#focus('.panel button');
    else this.overlay.root.querySelector<HTMLElement>('.tab')?.focus();
  }

  async signIn(): Promise<void> {
    const { overlay } = this;
    const token = await askForToken(overlay.settings);
    if (token === 'blocked') {
      this.problem = overlay.words.t('popupBlocked');
      overlay.draw();
      return;
    }
    this.problem = undefined;
    if (token === undefined) return overlay.draw();
    overlay.tokens.take(token);
    overlay.connect();
  }

  /** Begins a comment: on the selected words, or on what the person chooses next. */
  async begin(): Promise<void> {
    const { overlay } = this;
    if (this.isPicking) return;
    overlay.change({ openId: undefined, isPanelOpen: false });
    const range = selectedRange();
    if (range) {
      const subject = await subjectOfRange(range);
      if (subject) return this.#compose(subject);
    }
    this.isPicking = true;
    overlay.draw();
    overlay.say(overlay.words.t('pick'));
    const { picked, end } = pick(overlay.host, (element, byKey) => {
      this.#aimAt(element?.getBoundingClientRect());
      if (element && byKey) overlay.say(overlay.words.t('picked', describe(element)));
    });
    this.#endPicking = end;
    const chosen = await picked;
    this.isPicking = false;
    this.#endPicking = undefined;
    const subject = chosen && (await subjectOfElement(chosen));
    if (subject) this.#compose(subject);
    else overlay.draw();
  }

  endPicking(): void {
    this.#endPicking?.();
  }

  #compose(subject: Subject): void {
    this.subject = subject;
    this.problem = undefined;
    this.overlay.draw();
    this.#focus('.composer textarea');
  }

  /** The text of the composer stays for what it is about. */
  cancel(): void {
    this.subject = undefined;
    this.overlay.draw();
  }

  async send(text: string): Promise<void> {
    const { overlay, subject } = this;
    if (!subject || !overlay.store) return;
    const key = draftKey(subject);
    const attached = this.attachedTo(key);
    const lacks = text.trim() === '' ? 'needsText' : attached.uploading.length > 0 ? 'uploading' : undefined;
    if (lacks) {
      this.problem = overlay.words.t(lacks);
      overlay.draw();
      this.#focus('.composer textarea');
      return;
    }
    const comment = { commentText: text.trim(), ...this.takeAttached(key) };
    const sent = overlay.store.add(comment, threadAbout(subject));
    this.drafts.delete(key);
    this.subject = undefined;
    this.problem = undefined;
    getSelection()?.removeAllRanges();
    overlay.draw();
    overlay.say(overlay.words.t('sent'));
    await sent.catch((error: Error) => {
      // What was refused must not be lost.
      this.drafts.set(key, text);
      this.#attached.set(key, attached);
      this.#compose(subject);
      this.problem = overlay.words.t('refused', { reason: error.message });
      overlay.draw();
    });
  }

  /** Runs a change of a thread, and says why the service has refused it. */
  async act(change: Promise<unknown> | undefined): Promise<boolean> {
    try {
      await change;
      return true;
    } catch (error) {
      this.problem = this.overlay.words.t('refused', { reason: (error as Error).message });
      this.overlay.draw();
      return false;
    }
  }
}

export const newMore = (overlay: Overlay): More => new More(overlay);
