import type { Execution, LogLine, ReviewExecution, RunState, RunStore, Verdict } from '@redpen/client';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { checkIcon, chevronIcon, crossIcon, questionIcon } from '../element/icons.ts';
import { type Changes, RedpenElement } from '../element/redpen-element.ts';
import { setVars } from '../element/set-vars.ts';
import { StoreController } from '../element/store-controller.ts';
import { shortAddress } from '../findings/listed-finding.ts';
import { controls, ground } from '../theme/sheets.ts';
import { followReview, type ReviewRecord } from './follow-review.ts';
import { runStyle } from './run-style.ts';

type Line = Pick<LogLine, 'at' | 'level' | 'message'>;

/** Lines of a log that are shown: the last. */
const LINES = 200;

/**
 * `<rp-run>`: the progress of a review with all its runs, or of one run, while it goes on. It takes a `review`, or
 * follows the one with `review-id` or the run with `execution-id` by the client of its provider.
 */
export class RpRun extends RedpenElement {
  static override properties: PropertyDeclarations = {
    ...RedpenElement.properties,
    review: { attribute: false },
    logs: { attribute: false },
    reviewId: { attribute: 'review-id' },
    executionId: { attribute: 'execution-id' },
    isReadOnly: { type: Boolean, attribute: 'readonly' },
    followed: { state: true },
    problem: { state: true },
    expanded: { state: true },
    isCancelling: { state: true },
  };

  static override styles = [ground, controls, runStyle];

  declare review: ReviewRecord | undefined;
  /** Lines of logs by execution id, in place of those that the client reads. */
  declare logs: Readonly<Record<string, readonly Line[]>> | undefined;
  declare reviewId: string | undefined;
  declare executionId: string | undefined;
  declare isReadOnly: boolean;
  declare private followed: ReviewRecord | undefined;
  declare private problem: string | undefined;
  /** The run whose log is shown. */
  declare private expanded: string | undefined;
  declare private isCancelling: boolean;

  #following: AbortController | undefined;
  #followedId: string | undefined;
  #saidEnd = false;
  /** One log at a time, since each of them holds a connection. */
  #log = new StoreController<RunState, RunStore>(this, () => {
    const id = this.executionId ?? this.expanded;
    return id === undefined || this.logs?.[id] ? undefined : this.context.client?.live.run(id);
  });

  constructor() {
    super();
    this.isReadOnly = false;
    this.isCancelling = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#following?.abort();
    this.#followedId = undefined;
  }

  protected override willUpdate(_changes: Changes): void {
    const { client } = this.context;
    const id = this.review || !client ? undefined : this.reviewId;
    if (id === this.#followedId) return;
    this.#following?.abort();
    this.#followedId = id;
    if (id === undefined || !client) return;
    this.#following = new AbortController();
    void followReview(
      client,
      id,
      this.#following.signal,
      (review) => {
        this.followed = review;
        this.emit('rp-run-change', { review });
      },
      (problem) => {
        this.problem = problem;
      },
    );
  }

  protected override updated(): void {
    const review = this.#shown;
    if (review?.status === 'running') this.#saidEnd = false;
    if (review?.status !== 'ended' || this.#saidEnd) return;
    this.#saidEnd = true;
    if (review.verdict)
      this.announce(this.#verdict(review.verdict, review.counts?.open ?? review.progress.findings));
  }

  /** The review, or a single run in the form of one. */
  get #shown(): ReviewRecord | undefined {
    const execution = this.executionId === undefined ? undefined : this.#log.state?.execution;
    return this.review ?? (execution ? reviewOf(execution) : this.followed);
  }

  async #cancel(review: ReviewRecord): Promise<void> {
    if (!this.emit('rp-run-cancel', { review })) return;
    const { client } = this.context;
    this.isCancelling = true;
    try {
      if (this.executionId === undefined) await client?.reviews.cancel({ reviewId: review.id });
      else await client?.executions.cancel({ executionId: this.executionId });
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    } finally {
      this.isCancelling = false;
    }
  }

  #verdict(verdict: Verdict, count: number): string {
    return verdict === 'findings' ? this.t('run.findings', { count }) : this.t(`run.verdict.${verdict}`);
  }

  protected override content(): unknown {
    const review = this.#shown;
    const problem = this.problem ?? this.#log.state?.error?.message;
    return html`<slot name="header"></slot>
      ${problem ? html`<p class="problem" role="alert">${problem}</p>` : nothing}
      ${
        review
          ? this.#reviewOf(review)
          : problem
            ? nothing
            : html`<slot name="empty"><p class="empty" part="empty">${this.t('loading')}</p></slot>`
      }`;
  }

  #reviewOf(review: ReviewRecord): TemplateResult {
    const { status, verdict, progress, counts, executions, durationMs, startedAt } = review;
    const isRunning = status === 'running';
    const pages = Math.max(progress.urlsPlanned, progress.urlsProcessed);
    const state = isRunning
      ? this.t('run.running')
      : this.#verdict(verdict ?? 'incomplete', counts?.open ?? progress.findings);
    return html`<div class="head" part="summary">
        <p class="state ${isRunning ? 'running' : (verdict ?? 'incomplete')}" part="state">${markOf(isRunning ? undefined : verdict)}${state}</p>
        <p class="facts">
          <span>${this.t('run.pages', { done: progress.urlsProcessed, count: pages })}</span>
          <span>${this.t('findings.count', { count: progress.findings })}</span>
          <span>${durationMs === null ? this.words.ago(startedAt) : this.words.duration(durationMs)}</span>
        </p>
        <slot name="actions"></slot>
        ${
          isRunning && !this.isReadOnly
            ? html`<button type="button" class="button small" part="button" aria-disabled=${this.isCancelling}
                @click=${() => this.isCancelling || void this.#cancel(review)}>${this.t('run.cancel')}</button>`
            : nothing
        }
      </div>
      ${isRunning ? this.#bar(progress.urlsProcessed, pages, this.t('run.progress')) : nothing}
      <ul class="runs" part="runs">${repeat(
        executions,
        ({ executionId }) => executionId,
        (execution) => this.#run(execution, new Set(executions.map(({ url }) => url)).size > 1),
      )}</ul>`;
  }

  #bar(done: number, all: number, name: string): TemplateResult {
    const isKnown = all > 0;
    return html`<div class="bar ${isKnown ? '' : 'unknown'}" part="bar" role="progressbar" aria-label=${name}
      aria-valuemin="0" aria-valuemax=${isKnown ? all : nothing} aria-valuenow=${isKnown ? done : nothing}
      ${setVars({ '--part': isKnown ? done / all : 1 })}><span></span></div>`;
  }

  #run(execution: ReviewExecution, isOnSeveral: boolean): TemplateResult {
    const { executionId, agentName, status, verdict, progress, error, url } = execution;
    const isRunning = status === 'running';
    const isExpanded = this.expanded === executionId;
    const hasLog = this.logs?.[executionId] !== undefined || this.context.client !== undefined;
    const pages = Math.max(progress.urlsPlanned, progress.urlsProcessed);
    const name = html`${markOf(isRunning ? undefined : verdict)}<span class="agent">${agentName}${
      isOnSeveral ? html` <span class="dim" dir="ltr">${shortAddress(url)}</span>` : nothing
    }</span>`;
    return html`<li class="run" part="run">
      <div class="run-head">
        ${
          hasLog
            ? html`<button type="button" class="toggle" part="run-title" aria-expanded=${isExpanded}
                @click=${() => {
                  this.expanded = isExpanded ? undefined : executionId;
                }}>${chevronIcon}${name}</button>`
            : html`<span class="toggle">${name}</span>`
        }
        ${isRunning ? this.#bar(progress.urlsProcessed, pages, agentName) : nothing}
        <span class="count ${progress.findings > 0 ? 'has' : ''}">${
          isRunning || verdict === 'findings'
            ? this.t('findings.count', { count: progress.findings })
            : this.t(`run.verdict.${verdict ?? 'incomplete'}`)
        }</span>
      </div>
      ${error ? html`<p class="problem" dir="auto">${error.message}</p>` : nothing}
      ${isExpanded ? this.#logOf(executionId) : nothing}
    </li>`;
  }

  #logOf(executionId: string): TemplateResult {
    const lines: readonly Line[] = this.logs?.[executionId] ?? this.#log.state?.lines ?? [];
    return html`<ol class="log" part="log" role="log" tabindex="0" aria-label=${this.t('run.log')}>${
      lines.length === 0 ? html`<li class="dim">${this.t('loading')}</li>` : nothing
    }${lines
      .slice(-LINES)
      .map(
        ({ at, level, message }) =>
          html`<li class=${level}><time>${clock(at)}</time><span dir="auto">${message}</span></li>`,
      )}</ol>`;
  }
}

const clock = (at: number): string => new Date(at).toLocaleTimeString(undefined, { hour12: false });

/** A run alone has the shape of a review with one run. */
function reviewOf(execution: Execution): ReviewRecord {
  const { id, status, verdict, config, metadata, startedAt, completedAt, durationMs, resultsSummary } =
    execution;
  const isRunning = status === 'running';
  const { urlsProcessed, totalFindings, open } = resultsSummary;
  const progress = execution.progress ?? {
    urlsPlanned: urlsProcessed,
    urlsProcessed,
    findings: totalFindings,
  };
  const { agentId, agentName, error } = execution;
  return {
    id,
    status: isRunning ? 'running' : 'ended',
    ...(verdict && { verdict }),
    urls: [config.seedUrl],
    agents: [{ agentId, name: agentName }],
    config,
    metadata,
    startedAt,
    completedAt,
    durationMs,
    progress,
    ...(!isRunning && {
      counts: { findings: totalFindings, open: open ?? totalFindings, bySeverity: {}, pages: urlsProcessed },
    }),
    executions: [
      {
        executionId: id,
        agentId,
        agentName,
        url: config.seedUrl,
        status,
        ...(verdict && { verdict }),
        progress,
        ...(error && { error }),
      },
    ],
    revision: '',
  };
}

/** A sign beside the words, which say the same. */
function markOf(verdict: Verdict | undefined): TemplateResult {
  const signs = { clean: checkIcon, findings: nothing, incomplete: questionIcon, broken: crossIcon };
  return html`<span class="mark ${verdict ?? 'running'}" aria-hidden="true">${verdict ? signs[verdict] : nothing}</span>`;
}
