import type { Redpen } from '@redpen/client';
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { type Changes, RedpenElement } from '../element/redpen-element.ts';
import { controls, ground, severityMarks } from '../theme/sheets.ts';
import { type DecisionStep, Decisions, type SendDecision } from './decisions.ts';
import { countBySeverity, filterBar } from './filter-bar.ts';
import { groupHead } from './finding-group.ts';
import { onFindingKey } from './finding-keys.ts';
import { decisionOf, findingRow } from './finding-row.ts';
import { findingsFoot } from './findings-foot.ts';
import { findingsStyle } from './findings-style.ts';
import {
  type Decision,
  type Filter,
  type Group,
  type GroupBy,
  groupFindings,
  isOpen,
  type ListedFinding,
  matches,
  type RuleBook,
} from './listed-finding.ts';
import { loadFindings } from './load-findings.ts';
import { reasonForm } from './reason-form.ts';
import { sendDecision } from './send-decision.ts';

/** Rows of a group that are shown at first, and more at each click. */
const ROWS = 25;
/** With more findings, only the first group is open at first, so that the page stays light. */
const MANY = 100;

/**
 * `<rp-findings>`: findings in groups, which people accept or reject, one by one or several at once, with eight seconds
 * to undo. It takes `findings`, or reads those of a run, page or document by the client of its provider.
 */
export class RpFindings extends RedpenElement {
  static override properties: PropertyDeclarations = {
    ...RedpenElement.properties,
    findings: { attribute: false },
    rules: { attribute: false },
    reasons: { attribute: false },
    decide: { attribute: false },
    executionId: { attribute: 'execution-id' },
    pageUrl: { attribute: 'page-url' },
    groupBy: { attribute: 'group-by', reflect: true },
    selected: { reflect: true },
    isReadOnly: { type: Boolean, attribute: 'readonly' },
    noFilter: { type: Boolean, attribute: 'no-filter' },
    filter: { state: true },
    loaded: { state: true },
    problem: { state: true },
    rejecting: { state: true },
    current: { state: true },
  };

  static override styles = [ground, controls, severityMarks, findingsStyle];

  declare findings: readonly ListedFinding[] | undefined;
  /** Titles and help of rules, by issue type. */
  declare rules: RuleBook | undefined;
  /** Past reasons to choose from. */
  declare reasons: readonly string[] | undefined;
  /** Sends decisions in place of the client. */
  declare decide: SendDecision | undefined;
  declare executionId: string | undefined;
  declare pageUrl: string | undefined;
  declare groupBy: GroupBy | undefined;
  /** The id of the finding that is expanded. */
  declare selected: string | undefined;
  declare isReadOnly: boolean;
  declare noFilter: boolean;
  declare private filter: Filter;
  declare private loaded: readonly ListedFinding[] | undefined;
  declare private problem: string | undefined;
  /** The ids for which a reason is being written. */
  declare private rejecting: readonly string[] | undefined;
  /** The id of the row that the keyboard is on. */
  declare private current: string | undefined;

  #decisions = new Decisions(
    (step, isLeaving) => this.#send(step, isLeaving),
    () => this.requestUpdate(),
  );
  #checked = new Set<string>();
  /** Groups that a person has opened or closed. */
  #toggled = new Map<string, boolean>();
  #rows = new Map<string, number>();
  #given: string[] = [];
  #groups: Group[] = [];
  #query = '';
  #loadedBy: Redpen | undefined;

  constructor() {
    super();
    this.isReadOnly = false;
    this.noFilter = false;
    this.filter = { severities: new Set(), show: 'open', text: '' };
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('pagehide', this.#leave);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('pagehide', this.#leave);
    this.#decisions.flush();
  }

  #leave = (): void => this.#decisions.flush(true);

  get #all(): readonly ListedFinding[] {
    return this.findings ?? this.loaded ?? [];
  }

  #step = (id: string): DecisionStep | undefined => this.#decisions.of(id);

  protected override willUpdate(changes: Changes): void {
    if (changes.has('findings') || changes.has('loaded')) {
      this.#decisions.settle(new Map(this.#all.map(({ id, decision }) => [id, decision ?? 'undecided'])));
    }
    void this.#loadIfAsked();
    const waiting = new Set(this.#decisions.undoable?.ids);
    const shown = this.#all.filter(
      (finding) =>
        // What was just decided stays in its place until it can no longer be undone.
        waiting.has(finding.id) || matches(finding, this.filter, decisionOf(finding, this.#step(finding.id))),
    );
    this.#groups = groupFindings(shown, this.groupBy ?? 'rule', this.rules);
    for (const id of this.#checked) if (!shown.some((finding) => finding.id === id)) this.#checked.delete(id);
  }

  /** Reads the findings again, if the element has read them itself. */
  async reload(): Promise<void> {
    this.#query = '';
    await this.#loadIfAsked();
  }

  async #loadIfAsked(): Promise<void> {
    const { client, organizationId, documentId } = this.context;
    const { executionId, pageUrl } = this;
    if (this.findings || !client || !(executionId ?? pageUrl ?? organizationId)) return;
    const query = JSON.stringify([executionId, pageUrl, organizationId, documentId]);
    if (query === this.#query && client === this.#loadedBy) return;
    [this.#query, this.#loadedBy] = [query, client];
    try {
      const loaded = await loadFindings(client, { executionId, pageUrl, organizationId, documentId });
      if (query === this.#query) [this.loaded, this.problem] = [loaded, undefined];
    } catch (error) {
      if (query === this.#query) this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  /** Findings that a user has read name no entry to decide on. */
  get #canDecide(): boolean {
    const isReadByUser = !this.findings && this.context.client?.connection.tokens !== undefined;
    return !this.isReadOnly && (this.decide !== undefined || !isReadByUser);
  }

  async #send(step: DecisionStep, isLeaving: boolean): Promise<ReadonlyMap<string, string>> {
    const { client, user } = this.context;
    const send = this.decide ?? (client && ((...given) => sendDecision(client, user, ...given)));
    const refusals = send ? await send(step, isLeaving) : new Map<string, string>();
    this.emit('rp-findings-decided', { ...step, refusals });
    return refusals;
  }

  #decide(ids: readonly string[], decision: Decision, reason?: string): void {
    const findings = this.#all.filter(({ id }) => ids.includes(id));
    if (findings.length === 0 || !this.emit('rp-finding-decide', { ids, findings, decision, reason })) return;
    if (reason && !this.#given.includes(reason)) this.#given.unshift(reason);
    for (const id of ids) this.#checked.delete(id);
    this.rejecting = undefined;
    this.#decisions.decide({ ids, decision, reason });
    this.announce(this.#sayStep({ ids, decision, reason }));
  }

  #sayStep = ({ ids, decision }: DecisionStep): string =>
    this.t(`findings.did.${decision}`, { count: ids.length });

  #undo(): void {
    const step = this.#decisions.undo();
    if (!step) return;
    this.announce(this.t('findings.undone'));
    void this.#focusRow(step.ids[0]);
  }

  #begin = (finding: ListedFinding, decision: Decision): void => {
    if (decision === 'rejected') void this.#askReason([finding.id]);
    else this.#decide([finding.id], decision);
  };

  async #askReason(ids: readonly string[]): Promise<void> {
    this.rejecting = ids;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLInputElement>('.reason input')?.focus();
  }

  #toggle = (finding: ListedFinding): void => {
    this.current = finding.id;
    const isSelected = this.selected === finding.id;
    if (this.emit('rp-finding-select', { id: isSelected ? undefined : finding.id, finding }))
      this.selected = isSelected ? undefined : finding.id;
  };

  /** Opens the group of a finding, expands the finding, and scrolls to it. */
  async reveal(id: string): Promise<void> {
    const group = this.#groups.find(({ findings }) => findings.some((finding) => finding.id === id));
    if (!group) return;
    this.#toggled.set(group.key, true);
    const at = group.findings.findIndex((finding) => finding.id === id);
    this.#rows.set(group.key, Math.max(this.#rows.get(group.key) ?? ROWS, at + 1));
    this.selected = id;
    this.requestUpdate();
    await this.updateComplete;
    this.#row(id)?.scrollIntoView({ block: 'nearest' });
  }

  #row = (id: string | undefined): HTMLElement | undefined =>
    [...this.renderRoot.querySelectorAll<HTMLElement>('.row')].find(({ dataset }) => dataset.id === id);

  async #focusRow(id: string | undefined): Promise<void> {
    this.current = id;
    await this.updateComplete;
    this.#row(id)?.querySelector<HTMLElement>('.title')?.focus();
  }

  #onKey = (event: KeyboardEvent): void => {
    const id = (event.target as HTMLElement).closest<HTMLElement>('.row')?.dataset.id;
    const finding = this.#all.find((one) => one.id === id);
    const rows = [...this.renderRoot.querySelectorAll<HTMLElement>('.row')];
    const at = rows.findIndex(({ dataset }) => dataset.id === id);
    onFindingKey(event, {
      go: (step) => {
        const to = at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + step));
        void this.#focusRow(rows[to]?.dataset.id);
      },
      ...(finding &&
        this.#canDecide && {
          decide: (decision) => this.#begin(finding, decision),
          check: () => this.#check([finding], !this.#checked.has(finding.id)),
        }),
      ...(this.#decisions.undoable && { undo: () => this.#undo() }),
      ...(finding && this.selected === finding.id && { close: () => this.#toggle(finding) }),
    });
  };

  #check = (findings: readonly ListedFinding[], isChecked: boolean): void => {
    for (const { id } of findings) {
      if (isChecked) this.#checked.add(id);
      else this.#checked.delete(id);
    }
    this.requestUpdate();
  };

  protected override content(): unknown {
    const isLoading = !this.findings && !this.loaded && this.#query !== '' && !this.problem;
    return html`<slot name="header"></slot>
      ${this.problem ? html`<p class="problem" role="alert">${this.problem}</p>` : nothing}
      ${this.noFilter || this.#all.length === 0 ? nothing : this.#bar()}
      <div @keydown=${this.#onKey} @focusin=${this.#onFocus}>
        ${repeat(
          this.#groups,
          ({ key }) => key,
          (group, at) => this.#group(group, at),
        )}
      </div>
      ${
        this.#groups.length > 0
          ? nothing
          : isLoading
            ? html`<p class="empty" part="empty">${this.t('loading')}</p>`
            : this.#all.length > 0
              ? html`<p class="empty" part="empty">${this.t('findings.noMatch')}</p>`
              : html`<slot name="empty"><p class="empty" part="empty">${this.t('findings.none')}</p></slot>`
      }
      ${this.#foot()}
      <slot name="actions"></slot>`;
  }

  #onFocus = (event: Event): void => {
    const id = (event.target as HTMLElement).closest<HTMLElement>('.row')?.dataset.id;
    if (id !== undefined) this.current = id;
  };

  #bar(): TemplateResult {
    const counts = countBySeverity(this.#all, this.filter, this.#step);
    return filterBar(this.words, this.filter, counts, this.groupBy ?? 'rule', (filter, groupBy) => {
      if (!this.emit('rp-findings-filter', { ...filter, groupBy })) return;
      this.filter = filter;
      this.groupBy = groupBy;
    });
  }

  #isOpen({ key }: Group, at: number): boolean {
    return this.#toggled.get(key) ?? (at === 0 || this.#all.length <= MANY);
  }

  #group(group: Group, at: number): TemplateResult {
    const by = this.groupBy ?? 'rule';
    const { key, findings } = group;
    const isExpanded = by === 'none' || this.#isOpen(group, at);
    const rows = this.#rows.get(key) ?? ROWS;
    const left = findings.length - rows;
    const help = by === 'rule' ? this.rules?.[key]?.help : undefined;
    const list = html`<ul class=${by === 'none' ? 'plain' : nothing}>${repeat(
      findings.slice(0, rows),
      ({ id }) => id,
      (finding, index) => this.#rowOf(finding, at === 0 && index === 0),
    )}</ul>${
      left > 0
        ? html`<div class="more"><button type="button" class="button small quiet" part="button"
            @click=${() => {
              this.#rows.set(key, rows + 4 * ROWS);
              this.requestUpdate();
            }}>${this.t('findings.more', { count: left })}</button></div>`
        : nothing
    }`;
    return html`<section class="group" part="group">${
      by === 'none' ? nothing : this.#groupHead(group, isExpanded)
    }${isExpanded ? html`${help ? html`<p class="help">${help}</p>` : nothing}${list}` : nothing}</section>`;
  }

  #groupHead({ key, title, severity, findings }: Group, isExpanded: boolean): TemplateResult {
    return groupHead(this.words, {
      key,
      title,
      severity,
      count: findings.length,
      checked: this.#canDecide ? findings.filter(({ id }) => this.#checked.has(id)).length : undefined,
      isExpanded,
      heading: (content) => this.heading(content),
      check: (isChecked) => this.#check(findings, isChecked),
      toggle: () => {
        this.#toggled.set(key, !isExpanded);
        this.requestUpdate();
      },
    });
  }

  #rowOf(finding: ListedFinding, isFirst: boolean): TemplateResult {
    const { id } = finding;
    const hasCurrent = this.#groups.some(({ findings }) => findings.some((one) => one.id === this.current));
    return findingRow(finding, {
      words: this.words,
      groupBy: this.groupBy ?? 'rule',
      step: this.#step(id),
      isChecked: this.#checked.has(id),
      isCurrent: id === this.selected,
      isExpanded: id === this.selected,
      isStop: hasCurrent ? id === this.current : isFirst,
      isRejecting: this.rejecting?.length === 1 && this.rejecting[0] === id,
      canDecide: this.#canDecide,
      reasonForm: (ids) => this.#reasonForm(ids),
      toggle: this.#toggle,
      check: (one, isChecked) => this.#check([one], isChecked),
      decide: this.#begin,
      hover: (one) => this.emit('rp-finding-hover', { id: one?.id, finding: one }),
    });
  }

  #reasonForm = (ids: readonly string[]): TemplateResult =>
    reasonForm(this.words, [...new Set([...this.#given, ...(this.reasons ?? [])])], ids.length, {
      reject: (reason) => {
        this.#decide(ids, 'rejected', reason);
        void this.#focusRow(ids[0]);
      },
      cancel: () => {
        this.rejecting = undefined;
        void this.#focusRow(ids[0]);
      },
    });

  #foot(): unknown {
    const ids = [...this.#checked];
    const isDecided = (one: ListedFinding) =>
      ids.includes(one.id) && !isOpen(one, decisionOf(one, this.#step(one.id)));
    const { undoable, problem } = this.#decisions;
    const isAsking = this.rejecting !== undefined && this.rejecting.length > 1;
    return findingsFoot(this.words, {
      problem,
      reasonForm: isAsking ? this.#reasonForm(this.rejecting!) : undefined,
      selected: isAsking ? 0 : ids.length,
      canReopen: this.#all.some(isDecided),
      undoable: undoable && this.#sayStep(undoable),
      decide: (decision) =>
        decision === 'rejected' ? void this.#askReason(ids) : this.#decide(ids, decision),
      clear: () => {
        this.#checked.clear();
        this.requestUpdate();
      },
      undo: () => this.#undo(),
    });
  }
}
