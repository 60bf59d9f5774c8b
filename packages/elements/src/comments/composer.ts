import type { NewComment, UploadedAttachment, User } from '@redpen/client';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { live } from 'lit/directives/live.js';
import { clipIcon, crossIcon } from '../element/icons.ts';
import { type Changes, RedpenElement } from '../element/redpen-element.ts';
import { setVars } from '../element/set-vars.ts';
import { controls, ground } from '../theme/sheets.ts';
import { avatar, avatarStyle } from './avatar.ts';
import { composerStyle } from './composer-style.ts';
import { type Draft, draftOf, joinDrafts, keepDraft } from './drafts.ts';
import { mentionAt, peopleFor, withReferences } from './mentions.ts';

/** A comment that is ready to be sent. */
export type Written = Pick<NewComment, 'commentText' | 'taggedUserContacts' | 'attachments'>;

interface Upload {
  name: string;
  part: number;
  stop: AbortController;
}

const MOST_PEOPLE = 6;

/**
 * `<rp-composer>`: a field for a comment, with mentions, files, and a draft that stays when it is closed. `send` delivers
 * what was written; without it, the listener of `rp-submit` does.
 */
export class RpComposer extends RedpenElement {
  static override properties: PropertyDeclarations = {
    ...RedpenElement.properties,
    send: { attribute: false },
    people: { attribute: false },
    value: {},
    mentioned: { attribute: false },
    draftKey: { attribute: 'draft-key' },
    label: {},
    submitLabel: { attribute: 'submit-label' },
    canCancel: { type: Boolean, attribute: 'can-cancel' },
    noFiles: { type: Boolean, attribute: 'no-files' },
    text: { state: true },
    files: { state: true },
    uploads: { state: true },
    found: { state: true },
    active: { state: true },
    problem: { state: true },
    isSending: { state: true },
    isDropping: { state: true },
  };

  static override styles = [ground, controls, avatarStyle, composerStyle];

  declare send: ((comment: Written) => Promise<unknown>) | undefined;
  /** Who can be mentioned. Without it, the client looks for people on the document. */
  declare people: readonly User[] | undefined;
  /** The text at first, and the people that it mentions as `@Name`. */
  declare value: string | undefined;
  declare mentioned: readonly User[] | undefined;
  /** Keeps a draft under this key while the page lives. */
  declare draftKey: string | undefined;
  declare label: string | undefined;
  declare submitLabel: string | undefined;
  declare canCancel: boolean;
  declare noFiles: boolean;
  declare private text: string;
  declare private files: readonly UploadedAttachment[];
  declare private uploads: readonly Upload[];
  /** The people that are offered. */
  declare private found: readonly User[];
  declare private active: number;
  declare private problem: string | undefined;
  declare private isSending: boolean;
  declare private isDropping: boolean;

  #picked = new Map<string, User>();
  #known = new Map<string, readonly User[]>();
  #query: string | undefined;

  constructor() {
    super();
    this.canCancel = false;
    this.noFiles = false;
    this.text = '';
    this.files = [];
    this.uploads = [];
    this.found = [];
    this.active = 0;
    this.isSending = false;
    this.isDropping = false;
  }

  protected override willUpdate(changes: Changes): void {
    if (!changes.has('draftKey') && !changes.has('value')) return;
    const draft = draftOf(this.draftKey);
    this.text = draft?.text ?? this.value ?? '';
    this.files = draft?.attachments ?? [];
    for (const user of draft?.people ?? this.mentioned ?? []) this.#picked.set(user.userId, user);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const { stop } of this.uploads) stop.abort();
  }

  override focus(options?: FocusOptions): void {
    void this.updateComplete.then(() => this.#area?.focus(options));
  }

  get #area(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector('textarea');
  }

  #draft(): Draft {
    return { text: this.text, people: [...this.#picked.values()], attachments: this.files };
  }

  #keep(): void {
    keepDraft(this.draftKey, this.#draft());
  }

  #onInput = (): void => {
    const area = this.#area!;
    this.text = area.value;
    this.problem = undefined;
    this.#keep();
    void this.#offer(mentionAt(area.value, area.selectionEnd)?.query);
  };

  async #offer(query: string | undefined): Promise<void> {
    this.#query = query;
    this.active = 0;
    if (query === undefined) {
      this.found = [];
      return;
    }
    const people = this.people ?? (await this.#search(query));
    if (query !== this.#query) return;
    this.found = peopleFor(query, people).slice(0, MOST_PEOPLE);
    if (this.found.length > 0) this.announce(this.t('composer.people', { count: this.found.length }));
  }

  /** The service looks for the beginnings of words, so what it found for a shorter query may lack people. */
  async #search(query: string): Promise<readonly User[]> {
    const { client, organizationId, documentId } = this.context;
    if (!client || organizationId === undefined) return [];
    const text = query.trim();
    const known = this.#known.get(text);
    if (known) return known;
    // The people of an organization do not include those of its documents, and the other way around.
    const places = [{ organizationId }, ...(documentId ? [{ organizationId, documentId }] : [])];
    const found = await Promise.all(
      places.map((place) =>
        client.users.all({ ...place, ...(text && { text }), pageSize: 20 }, { max: 20 }).catch(() => []),
      ),
    );
    const people = [...new Map(found.flat().map((user) => [user.userId, user])).values()];
    this.#known.set(text, people);
    return people;
  }

  #pick(user: User): void {
    const area = this.#area!;
    const at = mentionAt(area.value, area.selectionEnd);
    if (!at) return;
    this.#picked.set(user.userId, user);
    area.setRangeText(`@${user.name} `, at.start, area.selectionEnd, 'end');
    this.text = area.value;
    this.#query = undefined;
    this.found = [];
    this.#keep();
    area.focus();
  }

  #onKey = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (this.found.length > 0 && this.#chooses(event)) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      void this.#submit();
    } else if (event.key === 'Escape' && this.canCancel) {
      event.preventDefault();
      event.stopPropagation();
      this.#close();
    }
  };

  /** True if the key was meant for the list of people. */
  #chooses(event: KeyboardEvent): boolean {
    const last = this.found.length - 1;
    const steps: Record<string, () => void> = {
      ArrowDown: () => (this.active = this.active >= last ? 0 : this.active + 1),
      ArrowUp: () => (this.active = this.active <= 0 ? last : this.active - 1),
      Enter: () => this.#pick(this.found[this.active]!),
      Tab: () => this.#pick(this.found[this.active]!),
      Escape: () => (this.found = []),
    };
    const act = event.ctrlKey || event.metaKey || event.shiftKey ? undefined : steps[event.key];
    if (!act) return false;
    event.preventDefault();
    event.stopPropagation();
    act();
    return true;
  }

  /** Closes the field; what was written stays. */
  #close(): void {
    this.#keep();
    this.emit('rp-cancel', { draftKey: this.draftKey });
  }

  #written(): Written {
    const { commentText, taggedUserContacts } = withReferences(this.text.trim(), [...this.#picked.values()]);
    const attachments = this.files.map(({ attachmentId }) => ({ attachmentId }));
    return {
      commentText,
      ...(taggedUserContacts.length > 0 && { taggedUserContacts }),
      ...(attachments.length > 0 && { attachments }),
    };
  }

  async #submit(): Promise<void> {
    const isEmpty = this.text.trim() === '' && this.files.length === 0;
    if (isEmpty && this.isSending) return;
    const wrong =
      this.uploads.length > 0 ? this.t('composer.uploading') : isEmpty ? this.t('composer.empty') : undefined;
    if (wrong) {
      this.problem = wrong;
      this.#area?.focus();
      return;
    }
    const written = this.#written();
    if (!this.emit('rp-submit', written)) return;
    const sent = this.#draft();
    const key = this.draftKey;
    // It may take as long as there is no connection, and the next comment need not wait for it.
    this.clear();
    this.isSending = true;
    try {
      await this.send?.(written);
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      this.#giveBack(sent, key);
      if (this.isConnected && key === this.draftKey) this.problem = problem;
      // The field is gone, or another one: the page says what has happened.
      else document.dispatchEvent(new CustomEvent('rp-refused', { detail: { problem, draftKey: key } }));
    } finally {
      this.isSending = false;
    }
  }

  /** Keeps what was refused, before what has been written in its place since. */
  #giveBack(sent: Draft, key: string | undefined): void {
    const isHere = this.isConnected && key === this.draftKey;
    const all = joinDrafts(sent, isHere ? this.#draft() : draftOf(key));
    keepDraft(key, all);
    if (!isHere) return;
    this.text = all.text;
    this.files = all.attachments;
    for (const user of all.people) this.#picked.set(user.userId, user);
  }

  /** Empties the field, and forgets the draft. */
  clear(): void {
    this.text = '';
    this.files = [];
    this.found = [];
    this.problem = undefined;
    this.#picked.clear();
    this.#keep();
  }

  #add(files: Iterable<File>): void {
    for (const file of files) void this.#upload(file);
  }

  async #upload(file: File): Promise<void> {
    const { client, organizationId, documentId } = this.context;
    if (!client || organizationId === undefined || documentId === undefined) return;
    const upload: Upload = { name: file.name, part: 0, stop: new AbortController() };
    this.uploads = [...this.uploads, upload];
    try {
      const added = await client.attachments.upload(file, {
        organizationId,
        documentId,
        signal: upload.stop.signal,
        onProgress: ({ sent, total }) => {
          upload.part = total > 0 ? sent / total : 0;
          this.requestUpdate();
        },
      });
      this.files = [...this.files, added];
      this.#keep();
    } catch (error) {
      if (!upload.stop.signal.aborted) this.problem = error instanceof Error ? error.message : String(error);
    } finally {
      this.uploads = this.uploads.filter((one) => one !== upload);
    }
  }

  #onPaste = (event: ClipboardEvent): void => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0 || !this.#takesFiles) return;
    event.preventDefault();
    this.#add(files);
  };

  #onDrop = (event: DragEvent): void => {
    this.isDropping = false;
    if (!this.#takesFiles || !event.dataTransfer?.files.length) return;
    event.preventDefault();
    this.#add(event.dataTransfer.files);
  };

  #onDrag = (event: DragEvent): void => {
    if (!this.#takesFiles || !event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    this.isDropping = true;
  };

  get #takesFiles(): boolean {
    const { client, documentId } = this.context;
    return !this.noFiles && client !== undefined && documentId !== undefined;
  }

  protected override content(): TemplateResult {
    const label = this.label ?? this.t('composer.label');
    const hasList = this.found.length > 0;
    return html`<form class="composer ${classMap({ 'is-dropping': this.isDropping })}" part="form"
      @submit=${(event: Event) => {
        event.preventDefault();
        void this.#submit();
      }}
      @dragover=${this.#onDrag} @dragleave=${() => (this.isDropping = false)} @drop=${this.#onDrop}>
      <div class="area"><textarea class="field" part="field" rows="2" aria-label=${label} placeholder=${label} dir="auto"
        aria-autocomplete="list" aria-haspopup="listbox" aria-controls=${hasList ? 'people' : nothing}
        aria-activedescendant=${hasList ? `person-${this.active}` : nothing}
        aria-invalid=${this.problem ? 'true' : nothing} aria-describedby=${this.problem ? 'problem' : nothing}
        .value=${live(this.text)} @input=${this.#onInput} @keydown=${this.#onKey} @paste=${this.#onPaste}
        @blur=${() => (this.found = [])}></textarea>
      ${hasList ? this.#peopleList() : nothing}</div>
      ${this.problem ? html`<p class="problem" id="problem" role="alert">${this.problem}</p>` : nothing}
      ${this.#fileList()}
      <div class="row">
        <button type="submit" class="button small primary" part="button submit"
          >${this.submitLabel ?? this.t('composer.send')}</button>
        ${
          this.canCancel
            ? html`<button type="button" class="button small quiet" part="button cancel" @click=${() => this.#close()}>${this.t('cancel')}</button>`
            : nothing
        }
        <slot name="actions"></slot>
        ${this.#takesFiles ? this.#fileButton() : nothing}
      </div>
    </form>`;
  }

  #peopleList(): TemplateResult {
    return html`<ul class="people" part="people" id="people" role="listbox" aria-label=${this.t('composer.mention')}>${this.found.map(
      (
        user,
        at,
      ) => html`<li class="person ${classMap({ 'is-active': at === this.active })}" part="person" role="option"
        id=${`person-${at}`} aria-selected=${at === this.active}
        @pointerdown=${(event: Event) => event.preventDefault()} @click=${() => this.#pick(user)}
        >${avatar(user)}<span><bdi>${user.name}</bdi>${user.email ? html` <span class="dim" dir="ltr">${user.email}</span>` : nothing}</span></li>`,
    )}</ul>`;
  }

  #fileList(): unknown {
    if (this.files.length === 0 && this.uploads.length === 0) return nothing;
    const remove = (name: string, act: () => void) =>
      html`<button type="button" class="button small icon quiet" part="button" aria-label=${this.t('composer.remove', { name })} @click=${act}>${crossIcon}</button>`;
    return html`<ul class="files" part="files">${this.files.map(
      (file) =>
        html`<li><bdi>${file.fileName}</bdi>${remove(file.fileName, () => {
          this.files = this.files.filter((one) => one !== file);
          this.#keep();
        })}</li>`,
    )}${this.uploads.map(
      ({
        name,
        part,
        stop,
      }) => html`<li class="is-sent" role="progressbar" aria-label=${name} aria-valuemin="0" aria-valuemax="100"
        aria-valuenow=${Math.round(part * 100)} ${setVars({ '--part': part })}><bdi>${name}</bdi>${remove(name, () => stop.abort())}</li>`,
    )}</ul>`;
  }

  #fileButton(): TemplateResult {
    const choose = () => this.renderRoot.querySelector<HTMLInputElement>('input[type=file]')?.click();
    return html`<button type="button" class="button small icon quiet end" part="button" title=${this.t('composer.attach')}
        aria-label=${this.t('composer.attach')} @click=${choose}>${clipIcon}</button>
      <input type="file" multiple hidden tabindex="-1" aria-hidden="true" @change=${(event: Event) => {
        const input = event.target as HTMLInputElement;
        this.#add(input.files ?? []);
        input.value = '';
      }}>`;
  }
}
