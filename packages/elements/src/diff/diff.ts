import { css, html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { type Changes, RedpenElement } from '../element/redpen-element.ts';
import { ground } from '../theme/sheets.ts';
import { diffWords, type Part } from './word-diff.ts';

/** `<rp-diff>`: the words that a suggestion removes and adds, in one text or side by side. */
export class RpDiff extends RedpenElement {
  static override properties: PropertyDeclarations = {
    ...RedpenElement.properties,
    oldText: { attribute: 'old-text' },
    newText: { attribute: 'new-text' },
    mode: { reflect: true },
    parts: { state: true },
  };

  static override styles = [
    ground,
    css`
      .text {
        padding: 8px 12px;
        border: 1px solid var(--_line);
        border-radius: var(--_radius);
        background: var(--_surface);
        white-space: pre-wrap;
      }
      .sides {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(100%, 220px), 1fr));
        gap: 8px;
      }
      .label {
        color: var(--_dim);
        font-size: var(--_size-small);
        font-weight: 600;
      }
      del,
      ins {
        padding-block: 1px;
        border-radius: 3px;
        color: var(--_ink);
      }
      del {
        background: var(--_removed-tint);
        text-decoration: line-through;
        text-decoration-color: var(--_bad);
      }
      ins {
        background: var(--_added-tint);
        text-decoration: underline;
        text-decoration-color: var(--_good);
        text-underline-offset: 3px;
      }
      .sides del,
      .sides ins {
        text-decoration: none;
        font-weight: 600;
      }
    `,
  ];

  declare oldText: string | undefined;
  declare newText: string | undefined;
  /** `inline` by default. */
  declare mode: 'inline' | 'split' | undefined;
  declare private parts: readonly Part[] | undefined;

  protected override willUpdate(changes: Changes): void {
    if (changes.has('oldText') || changes.has('newText')) void this.#compare();
  }

  async #compare(): Promise<void> {
    const { oldText = '', newText = '' } = this;
    // Shown whole until the words have been compared.
    this.parts = [
      { kind: 'removed', text: oldText },
      { kind: 'added', text: newText },
    ];
    try {
      const parts = await diffWords(oldText, newText);
      if (oldText === (this.oldText ?? '') && newText === (this.newText ?? '')) this.parts = parts;
    } catch {
      // The code could not be loaded; the texts remain as they are.
    }
  }

  protected override content(): TemplateResult {
    const parts = this.parts ?? [];
    if (this.mode !== 'split')
      return html`<p class="text" part="text" dir="auto">${parts.map((part) => this.#part(part))}</p>`;
    const side = (hidden: Part['kind'], name: string, partName: string) =>
      html`<div><p class="label">${name}</p><p class="text" part=${partName} dir="auto">${parts
        .filter(({ kind }) => kind !== hidden)
        .map((part) => this.#part(part))}</p></div>`;
    return html`<div class="sides">${side('added', this.t('diff.before'), 'before')}${side(
      'removed',
      this.t('diff.after'),
      'after',
    )}</div>`;
  }

  #part({ kind, text }: Part): unknown {
    if (text === '') return nothing;
    const said = (name: string) => html`<span class="unseen">${name} </span>`;
    if (kind === 'removed') return html`<del part="removed">${said(this.t('diff.removed'))}${text}</del>`;
    if (kind === 'added') return html`<ins part="added">${said(this.t('diff.added'))}${text}</ins>`;
    return text;
  }
}
