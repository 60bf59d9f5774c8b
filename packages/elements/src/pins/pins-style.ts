import { css } from 'lit';

/** Offsets in the picture are physical, so the picture reads from the left in every language. */
export const pinsStyle = css`
  .frame {
    overflow: auto;
    max-block-size: var(--rp-pins-height, none);
    border: 1px solid var(--_line);
    border-radius: var(--_radius-large);
    background: var(--_tint);
  }
  .canvas {
    position: relative;
    direction: ltr;
    inline-size: min(100%, var(--w) * 1px);
    aspect-ratio: var(--w) / var(--h);
    margin-inline: auto;
    overflow: hidden;
  }
  :host([zoom='actual']) .canvas {
    inline-size: calc(var(--w) * 1px);
  }
  /* Over a page, all but the pins let the pointer through. */
  :host([over='page']) {
    position: absolute;
    z-index: 2147483000;
    inset-block-start: 0;
    inset-inline-start: 0;
    pointer-events: none;
  }
  :host([over='page']) .frame {
    max-block-size: none;
    border: 0;
    border-radius: 0;
    background: none;
    overflow: visible;
  }
  :host([over='page']) .canvas {
    inline-size: calc(var(--w) * 1px);
    margin: 0;
  }
  :host([over='page']) .pin {
    pointer-events: auto;
  }
  .tile {
    position: absolute;
    inset-inline-start: calc(var(--x) / var(--w) * 100%);
    inset-block-start: calc(var(--y) / var(--h) * 100%);
    inline-size: calc(var(--tw) / var(--w) * 100%);
    block-size: calc(var(--th) / var(--h) * 100% + 0.5px);
    background: var(--_tint);
  }
  .box {
    position: absolute;
    inset-inline-start: calc(var(--x) / var(--w) * 100%);
    inset-block-start: calc(var(--y) / var(--h) * 100%);
    inline-size: calc(var(--bw) / var(--w) * 100%);
    block-size: calc(var(--bh) / var(--h) * 100%);
    border-radius: 2px;
    box-shadow: 0 0 0 1.5px var(--fill);
    opacity: 0.6;
    pointer-events: none;
  }
  .box.is-closed {
    opacity: 0.25;
  }
  .box.is-lit {
    opacity: 1;
    background: color-mix(in srgb, var(--fill) 14%, transparent);
    box-shadow:
      0 0 0 2.5px var(--fill),
      0 0 0 4.5px rgb(255 255 255 / 0.85);
  }
  .pin {
    position: absolute;
    z-index: 1;
    inset-inline-start: calc(var(--px) / var(--w) * 100%);
    inset-block-start: calc(var(--py) / var(--h) * 100%);
    display: grid;
    place-items: center;
    min-inline-size: 26px;
    block-size: 26px;
    padding: 0;
    border: 0;
    background: none;
    color: var(--_on-fill);
    font-size: 12px;
    font-weight: 700;
    line-height: 1;
    font-variant-numeric: tabular-nums;
    cursor: pointer;
  }
  .face {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    min-inline-size: 22px;
    block-size: 22px;
    padding-inline: 5px;
    border-radius: 11px 11px 11px 3px;
    background: var(--fill);
    box-shadow:
      0 0 0 1.5px #ffffff,
      0 1px 5px rgb(0 0 0 / 0.4);
    transition: scale 120ms;
    forced-color-adjust: none;
  }
  .k-critical .face {
    border-radius: 4px;
    clip-path: none;
    box-shadow:
      0 0 0 1.5px #ffffff,
      0 0 0 3px var(--fill),
      0 1px 5px rgb(0 0 0 / 0.4);
  }
  .k-high .face {
    border-radius: 3px 11px 11px 11px;
  }
  .k-medium .face {
    border-radius: 4px;
  }
  .k-info .face {
    outline: 1.5px solid var(--fill);
    outline-offset: -3.5px;
    background: #ffffff;
    color: var(--fill);
    box-shadow:
      0 0 0 1.5px var(--fill),
      0 1px 5px rgb(0 0 0 / 0.4);
  }
  .k-comment {
    --k: var(--_ink);
    --fill: #35312d;
  }
  .k-comment .face {
    border-radius: 11px 11px 11px 2px;
  }
  .is-closed .face {
    background: #6b655f;
    color: #ffffff;
    text-decoration: line-through;
  }
  .is-unread .face::after {
    content: '';
    position: absolute;
    inset-block-start: 0;
    inset-inline-end: 0;
    inline-size: 9px;
    block-size: 9px;
    border: 1.5px solid #ffffff;
    border-radius: 50%;
    background: var(--_accent-fill);
  }
  .pin:hover,
  .pin:focus-visible,
  .pin.is-lit {
    z-index: 3;
  }
  .pin:is(:hover, .is-lit) .face {
    scale: 1.15;
  }
  .pin:focus-visible {
    outline: none;
  }
  .pin:focus-visible .face {
    outline: 2px solid #2353b8;
    outline-offset: 2px;
    box-shadow: 0 0 0 5px #ffffff;
  }
  .hint {
    position: absolute;
    inset-block-end: calc(100% + 4px);
    inset-inline-start: 0;
    inline-size: max-content;
    max-inline-size: 260px;
    padding: 6px 10px;
    border-radius: var(--_radius);
    background: #24211e;
    color: #ffffff;
    font-size: var(--_size-small);
    font-weight: 500;
    line-height: 1.4;
    text-align: start;
    direction: var(--dir);
    visibility: hidden;
    pointer-events: none;
    box-shadow: var(--_shadow);
  }
  .hint.below {
    inset-block: calc(100% + 4px) auto;
  }
  .hint.at-end {
    inset-inline: auto 0;
  }
  .pin:hover .hint,
  .pin:focus-visible .hint {
    visibility: visible;
  }
  .notes {
    padding-block-start: 8px;
    font-size: var(--_size-small);
    color: var(--_dim);
  }
  @media (forced-colors: active) {
    .face,
    .k-info .face {
      border: 1px solid ButtonText;
    }
    .box {
      outline: 2px solid Highlight;
      forced-color-adjust: none;
    }
    .hint {
      border: 1px solid CanvasText;
    }
  }
`;
