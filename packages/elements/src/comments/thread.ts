import type { Comment, Thread, ThreadsState, ThreadsStore } from '@redpen/client';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { RedpenElement } from '../element/redpen-element.ts';
import { severityLabel } from '../element/severity-mark.ts';
import { StoreController } from '../element/store-controller.ts';
import { reasonForm } from '../findings/reason-form.ts';
import { controls, ground, severityMarks } from '../theme/sheets.ts';
import { avatarStyle } from './avatar.ts';
import { commentOf } from './comment.ts';
import type { Written } from './composer.ts';
import { asTyped } from './mentions.ts';
import { actOn, authorOf, type ThreadAction } from './thread-actions.ts';
import { isByAgent, isResolved } from './thread-list.ts';
import { threadStyle } from './thread-style.ts';
import { decisionOn, fixOf, pageLink, proposalOf, quoteOf } from './thread-subject.ts';

/**
 * `<rp-thread>`: a thread of comments, or a suggestion of an agent, with its actions. It takes a `thread` and the
 * `store` that changes it, or finds the one with `annotation-id` on the document of its provider.
 */
export class RpThread extends RedpenElement {
  static override properties: PropertyDeclarations = {
    ...RedpenElement.properties,
    thread: { attribute: false },
    store: { attribute: false },
    annotationId: { attribute: 'annotation-id' },
    isReadOnly: { type: Boolean, attribute: 'readonly' },
    isCompact: { type: Boolean, attribute: 'compact' },
    noResolve: { type: Boolean, attribute: 'no-resolve' },
    reasons: { attribute: false },
    editing: { state: true },
    removing: { state: true },
    isRejecting: { state: true },
    reactingTo: { state: true },
    problem: { state: true },
  };

  static override styles = [ground, controls, severityMarks, avatarStyle, threadStyle];

  declare thread: Thread | undefined;
  declare store: ThreadsStore | undefined;
  declare annotationId: string | undefined;
  declare isReadOnly: boolean;
  /** Leaves number and page out, which the surroundings show. */
  declare isCompact: boolean;
  /** Leaves the button out that resolves or reopens, where that is decided elsewhere. */
  declare noResolve: boolean;
  /** Past reasons for rejecting. */
  declare reasons: readonly string[] | undefined;
  /** The ids of comments that are being edited, are about to be deleted, or get a reaction. */
  declare private editing: number | undefined;
  declare private removing: number | undefined;
  declare private reactingTo: number | undefined;
  declare private isRejecting: boolean;
  declare private problem: string | undefined;

  #live = new StoreController<ThreadsState, ThreadsStore>(this, () => {
    const { client, organizationId, documentId } = this.context;
    if (this.store) return this.store;
    if (
      !client ||
      this.annotationId === undefined ||
      organizationId === undefined ||
      documentId === undefined
    )
      return undefined;
    return client.live.threads({ organizationId, documentId });
  });

  constructor() {
    super();
    this.isReadOnly = false;
    this.isCompact = false;
    this.noResolve = false;
    this.isRejecting = false;
  }

  get #shown(): Thread | undefined {
    return (
      this.thread ?? this.#live.state?.threads.find(({ annotationId }) => annotationId === this.annotationId)
    );
  }

  /** Announces what is about to happen, and does it unless a listener has prevented it. */
  async #act(thread: Thread, action: ThreadAction): Promise<void> {
    const { annotationId } = thread;
    if (!this.emit('rp-thread-action', { annotationId, thread, ...action })) return;
    const { client, user } = this.context;
    const { store } = this.#live;
    if (!store) return;
    await actOn(store, thread, action, authorOf(client, user));
  }

  #try(thread: Thread, action: ThreadAction): void {
    this.problem = undefined;
    this.editing = undefined;
    this.removing = undefined;
    this.reactingTo = undefined;
    this.isRejecting = false;
    this.#act(thread, action).catch((error: unknown) => {
      this.problem = error instanceof Error ? error.message : String(error);
    });
  }

  protected override content(): unknown {
    const thread = this.#shown;
    if (!thread) {
      const isLoading = this.#live.state?.status === 'loading';
      return html`<slot name="empty"><p class="empty" part="empty">${
        isLoading ? this.t('loading') : this.t('thread.none')
      }</p></slot>`;
    }
    const { comments, annotationId } = thread;
    return html`<slot name="header"></slot>${this.#head(thread)}${quoteOf(thread)}
      ${comments.length === 0 ? html`${this.#finding(thread, thread.agent?.reason)}${this.#proposal(thread)}` : nothing}
      <ul class="comments" part="comments">${repeat(
        comments,
        ({ commentId }) => commentId,
        (comment, at) => this.#comment(thread, comment, at === 0),
      )}</ul>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      ${
        this.isReadOnly
          ? nothing
          : html`<div class="foot"><rp-composer part="composer" draft-key=${`reply ${annotationId}`}
              label=${this.t('thread.reply')} submit-label=${this.t('thread.send')}
              .client=${this.context.client} .user=${this.context.user}
              .organizationId=${this.context.organizationId} .documentId=${this.context.documentId}
              .send=${(comment: Written) => this.#act(thread, { kind: 'reply', comment })}></rp-composer></div>`
      }
      <slot name="actions"></slot>`;
  }

  #head(thread: Thread): TemplateResult {
    const { annotationNumber, status, suggestion, agent, pageInfo } = thread;
    const page = pageInfo?.url ?? agent?.url;
    const decision = suggestion && suggestion.status !== 'pending' ? suggestion.status : undefined;
    const isClosed = status?.type === 'terminal';
    const assistant = thread.decidedByAssistant?.status;
    const name = decision
      ? this.t(`findings.${decision}`)
      : isClosed
        ? this.t('thread.resolved')
        : status?.name;
    return html`<div class="head" part="header">
      ${annotationNumber > 0 && !this.isCompact ? html`<span>#${this.words.number(annotationNumber)}</span>` : nothing}
      ${name && (isResolved(thread) || status?.type === 'ongoing') ? html`<span class="status ${decision ?? status?.type ?? ''}">${name}</span>` : nothing}
      ${assistant && !decision ? html`<span class="dim" part="assistant">${this.t('thread.assistant', { name: assistant })}</span>` : nothing}
      ${page && !this.isCompact ? pageLink(page) : nothing}
      ${
        this.isReadOnly || this.noResolve
          ? nothing
          : html`<span class="end"><button type="button" class="button small" part="button"
              @click=${() => this.#try(thread, { kind: isClosed ? 'reopen' : 'resolve' })}
              >${this.t(isClosed ? 'thread.reopen' : 'thread.resolve')}</button></span>`
      }
    </div>`;
  }

  #comment(thread: Thread, comment: Comment, isFirst: boolean): TemplateResult {
    const { commentId } = comment;
    const { user } = this.context;
    const reason = isFirst && isByAgent(thread) ? (comment.agent ?? thread.agent)?.reason : undefined;
    const isOwn = user !== undefined && comment.from?.userId === user.userId;
    return commentOf(comment, {
      words: this.words,
      commentId,
      userId: user?.userId,
      isPending: thread.pending === true,
      isByAgent: comment.sourceType === 'agent' || comment.agent !== undefined,
      canReact: !this.isReadOnly,
      canChange: isOwn && !this.isReadOnly,
      isEditing: this.editing === commentId,
      isRemoving: this.removing === commentId,
      isReacting: this.reactingTo === commentId,
      finding: reason && this.#finding(thread, reason),
      proposal: isFirst ? this.#proposal(thread) : nothing,
      editor: () => this.#editor(thread, comment),
      edit: () => {
        this.editing = commentId;
        void this.updateComplete.then(() => this.#field(commentId)?.focus());
      },
      askRemoval: (isAsked) => {
        this.removing = isAsked ? commentId : undefined;
      },
      remove: () =>
        this.#try(
          thread,
          isFirst && thread.comments.length === 1
            ? { kind: 'delete' }
            : { kind: 'delete-comment', commentId },
        ),
      askReaction: (isAsked) => {
        this.reactingTo = isAsked ? commentId : undefined;
      },
      react: (reactionId, isAdded) => this.#try(thread, { kind: 'react', commentId, reactionId, isAdded }),
    });
  }

  #finding({ suggestion }: Thread, reason: NonNullable<Thread['agent']>['reason'] | undefined): unknown {
    if (!reason) return nothing;
    const { title, description, severity } = reason;
    return html`<div class="finding" part="finding">
      ${severity ? severityLabel(severity, this.words) : nothing}
      <p class="title" part="finding-title" dir="auto">${title}</p>
      ${description ? html`<p dir="auto">${description}</p>` : nothing}
      ${suggestion || !reason.suggestion ? nothing : fixOf(reason.suggestion, this.words)}
      <slot name="finding"></slot>
    </div>`;
  }

  /** What a suggestion changes, and the decision on it. */
  #proposal(thread: Thread): unknown {
    const { suggestion } = thread;
    if (!suggestion) return nothing;
    return html`<section class="suggestion" part="suggestion" aria-label=${this.t('findings.suggestion')}>
      ${proposalOf(thread, this.words)}${decisionOn(suggestion, thread.decidedByAssistant?.suggestion, this.words)}
      ${this.isReadOnly ? nothing : this.#decisions(thread)}
    </section>`;
  }

  #editor(thread: Thread, comment: Comment): TemplateResult {
    const { text, people } = asTyped(comment);
    const { commentId } = comment;
    return html`<rp-composer can-cancel no-files data-comment=${commentId} draft-key=${`edit ${thread.annotationId} ${commentId}`}
      label=${this.t('thread.edit')} submit-label=${this.t('thread.save')}
      .client=${this.context.client} .organizationId=${this.context.organizationId} .documentId=${this.context.documentId}
      .value=${text} .mentioned=${people}
      .send=${(written: Written) => this.#save(thread, commentId, written)}
      @rp-cancel=${() => {
        this.editing = undefined;
        this.#focusChange(commentId);
      }}></rp-composer>`;
  }

  /** The field in which a comment is changed. */
  #field = (commentId: number): HTMLElement | null =>
    this.renderRoot.querySelector(`rp-composer[data-comment="${commentId}"]`);

  /** Gives the focus back to the button that began a change. */
  #focusChange(commentId: number): void {
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>(`button[data-edit="${commentId}"]`)?.focus(),
    );
  }

  /** The thread shows the new text at once; if it is refused, the field comes back with it. */
  async #save(thread: Thread, commentId: number, comment: Written): Promise<void> {
    this.problem = undefined;
    this.editing = undefined;
    this.#focusChange(commentId);
    try {
      await this.#act(thread, { kind: 'edit', commentId, comment });
    } catch (error) {
      this.editing ??= commentId;
      this.problem = error instanceof Error ? error.message : String(error);
      throw error;
    }
  }

  #decisions(thread: Thread): unknown {
    // What an assistant has decided, a person may decide anew.
    if (thread.suggestion?.status !== 'pending' && !thread.decidedByAssistant?.suggestion) return nothing;
    if (this.isRejecting)
      return html`<div class="decide">${reasonForm(this.words, this.reasons ?? [], 1, {
        reject: (reason) => this.#try(thread, { kind: 'reject', reason }),
        cancel: () => {
          this.isRejecting = false;
        },
      })}</div>`;
    return html`<slot name="decisions"><div class="decide" part="decisions">
      <button type="button" class="button small primary" part="button" @click=${() => this.#try(thread, { kind: 'accept' })}
        >${this.t('findings.accept')}</button>
      <button type="button" class="button small" part="button" @click=${() => {
        this.isRejecting = true;
        void this.updateComplete.then(() =>
          this.renderRoot.querySelector<HTMLElement>('.reason input')?.focus(),
        );
      }}>${this.t('findings.rejectMany')}</button>
    </div></slot>`;
  }
}
