import { css, unsafeCSS } from 'lit';
import { SEVERITIES } from './severities.ts';
import { tokensWithin } from './tokens.ts';

/** What every element begins with: tokens, font and focus. */
export const ground = [
  unsafeCSS(tokensWithin(':host')),
  css`
    :host {
      display: block;
      font: var(--_size) / var(--_leading) var(--_font);
      color: var(--_ink);
      text-align: start;
      overflow-wrap: anywhere;
      -webkit-text-size-adjust: 100%;
    }
    :host([hidden]) {
      display: none;
    }
    *,
    ::before,
    ::after {
      box-sizing: border-box;
    }
    p,
    ul,
    ol,
    dl,
    dd,
    pre,
    blockquote,
    figure {
      margin: 0;
      padding: 0;
    }
    ul,
    ol {
      list-style: none;
    }
    .heading {
      font-weight: 600;
    }
    a {
      color: var(--_link);
      text-decoration-thickness: 1px;
      text-underline-offset: 0.2em;
    }
    code,
    pre {
      font: 0.9em/1.5 var(--_mono);
    }
    :focus-visible {
      outline: 2px solid var(--_focus);
      outline-offset: 2px;
    }
    .unseen {
      position: absolute;
      inline-size: 1px;
      block-size: 1px;
      margin: 0;
      overflow: hidden;
      clip-path: inset(50%);
      white-space: nowrap;
    }
    .dim {
      color: var(--_dim);
    }
    .empty {
      padding: 24px 16px;
      text-align: center;
      color: var(--_dim);
    }
    .problem {
      padding: 8px 12px;
      border-radius: var(--_radius);
      background: var(--_bad-tint);
      color: var(--_bad);
    }
    @media (prefers-reduced-motion: reduce) {
      *,
      ::before,
      ::after {
        animation-duration: 1ms !important;
        animation-iteration-count: 1 !important;
        transition-duration: 1ms !important;
      }
    }
  `,
];

/** Buttons and fields. Targets measure at least 24 px, the usual ones 32. */
export const controls = css`
  button,
  input,
  select,
  textarea {
    font: inherit;
    color: inherit;
  }
  button {
    cursor: pointer;
  }
  .button,
  .field {
    min-block-size: 32px;
    padding: 4px 12px;
    border: 1px solid var(--_line-strong);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  .field {
    border-color: var(--_edge);
    inline-size: 100%;
  }
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 6px;
    font-weight: 500;
    white-space: nowrap;
    box-shadow: var(--_shadow-small);
  }
  .button:hover {
    background: var(--_tint);
    border-color: var(--_edge);
  }
  .button[aria-disabled='true'] {
    color: var(--_dim);
    cursor: default;
    box-shadow: none;
  }
  .button.primary {
    border-color: transparent;
    background: var(--_accent-fill);
    color: var(--_on-fill);
  }
  .button.primary:hover {
    filter: brightness(1.08);
  }
  .button.primary[aria-disabled='true'] {
    background: var(--_tint);
    color: var(--_dim);
    filter: none;
  }
  .button.quiet {
    border-color: transparent;
    background: transparent;
    box-shadow: none;
  }
  .button.quiet:hover,
  .button.quiet[aria-expanded='true'] {
    background: var(--_tint);
  }
  .button.small {
    min-block-size: 28px;
    padding: 2px 8px;
    font-size: var(--_size-small);
  }
  .button.icon {
    inline-size: 28px;
    min-block-size: 28px;
    padding: 0;
  }
  .button[aria-pressed='true'] {
    background: var(--_tint);
    border-color: var(--_edge);
  }
  input[type='checkbox'] {
    inline-size: 16px;
    block-size: 16px;
    margin: 0;
    accent-color: var(--_accent-fill);
  }
  .icon-image {
    inline-size: 16px;
    block-size: 16px;
    flex: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.75;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .icon-image.turns:dir(rtl) {
    transform: scaleX(-1);
  }
  @media (forced-colors: active) {
    .button[aria-pressed='true'],
    .button.primary {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
    .button.primary[aria-disabled='true'] {
      background: ButtonFace;
      color: GrayText;
      border-color: GrayText;
    }
  }
`;

/** Severities as shape, letter and color, so that none of these has to be told apart alone. */
export const severityMarks = [
  css`
    .severity {
      display: inline-flex;
      align-items: center;
      gap: 6px;
      color: var(--k);
      font-size: var(--_size-small);
      font-weight: 600;
      white-space: nowrap;
    }
    .shape {
      display: grid;
      place-items: center;
      flex: none;
      inline-size: 18px;
      block-size: 18px;
      background: var(--fill);
      color: var(--_on-fill);
      font-size: 10.5px;
      font-weight: 700;
      line-height: 1;
      forced-color-adjust: none;
    }
    .k-critical .shape {
      clip-path: polygon(30% 0, 70% 0, 100% 30%, 100% 70%, 70% 100%, 30% 100%, 0 70%, 0 30%);
    }
    .k-high .shape {
      clip-path: polygon(50% 0, 100% 92%, 0 92%);
      padding-block-start: 5px;
      font-size: 9.5px;
    }
    .k-medium .shape {
      border-radius: 3px;
    }
    .k-low .shape {
      border-radius: 50%;
    }
    .k-info .shape {
      border-radius: 50%;
      background: none;
      color: var(--k);
      box-shadow: inset 0 0 0 1.5px var(--k);
    }
    @media (forced-colors: active) {
      .severity {
        color: CanvasText;
      }
    }
  `,
  unsafeCSS(SEVERITIES.map((name) => `.k-${name}{--k:var(--_${name});--fill:var(--_${name}-fill)}`).join('')),
];
