import { css } from 'lit';

export const findingsStyle = css`
  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    padding-block-end: 12px;
  }
  .bar .field {
    inline-size: auto;
    flex: 1 1 160px;
    max-inline-size: 320px;
  }
  .bar select.field {
    flex: 0 1 auto;
    min-inline-size: 0;
  }
  .chips {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
  }
  .chip {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    min-block-size: 32px;
    padding: 4px 10px;
    border: 1px solid var(--_line-strong);
    border-radius: 16px;
    background: var(--_surface);
    font-size: var(--_size-small);
    font-variant-numeric: tabular-nums;
  }
  .chip:hover {
    border-color: var(--_edge);
  }
  .chip[aria-pressed='true'] {
    border-color: var(--k);
    box-shadow: inset 0 0 0 1px var(--k);
  }
  .chip[aria-disabled='true'] {
    color: var(--_dim);
    cursor: default;
  }
  .group {
    margin-block-end: 8px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius-large);
    background: var(--_surface);
  }
  .group-head {
    display: flex;
    align-items: center;
    gap: 8px;
    min-block-size: 44px;
    padding-inline: 12px;
  }
  .group-head .heading {
    flex: 1;
    min-inline-size: 0;
  }
  .toggle {
    display: flex;
    align-items: center;
    gap: 8px;
    inline-size: 100%;
    min-block-size: 36px;
    padding: 4px 0;
    border: 0;
    border-radius: var(--_radius-small);
    background: none;
    font-weight: 600;
    text-align: start;
  }
  .chevron {
    transition: rotate 120ms;
    color: var(--_dim);
  }
  [aria-expanded='true'] > .chevron {
    rotate: 90deg;
  }
  [aria-expanded='true'] > .chevron:dir(rtl) {
    rotate: -90deg;
  }
  .count {
    color: var(--_dim);
    font-size: var(--_size-small);
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  .help {
    padding: 0 12px 12px 36px;
    padding-inline: 36px 12px;
    color: var(--_dim);
    font-size: var(--_size-small);
  }
  .row {
    border-block-start: 1px solid var(--_line);
    scroll-margin-block: 80px;
  }
  .row:last-child {
    border-end-start-radius: var(--_radius-large);
    border-end-end-radius: var(--_radius-large);
  }
  .plain > .row:first-child {
    border-block-start: 0;
  }
  .line {
    display: grid;
    grid-template-columns: auto auto minmax(0, 1fr) auto;
    align-items: start;
    gap: 10px;
    padding: 8px 12px;
  }
  .line > input {
    margin-block-start: 5px;
  }
  .line > .severity {
    margin-block-start: 4px;
  }
  .row.is-current > .line {
    background: var(--_focus-tint);
    box-shadow: inset 3px 0 0 var(--_focus);
  }
  .row.is-current > .line:dir(rtl) {
    box-shadow: inset -3px 0 0 var(--_focus);
  }
  .row:not(.is-current) > .line:hover {
    background: var(--_tint);
  }
  .title {
    min-block-size: 26px;
    padding: 2px 0;
    border: 0;
    border-radius: var(--_radius-small);
    background: none;
    font-weight: 500;
    text-align: start;
  }
  .is-closed .title {
    color: var(--_dim);
    text-decoration: line-through;
  }
  .meta {
    display: flex;
    flex-wrap: wrap;
    gap: 0 10px;
    color: var(--_dim);
    font-size: var(--_size-small);
  }
  .meta q {
    color: var(--_ink);
    quotes: none;
  }
  .meta q mark,
  .quote mark {
    background: var(--_mark);
    color: var(--_ink);
    padding-inline: 2px;
    border-radius: 2px;
  }
  .tag {
    font-weight: 600;
  }
  .tag.is-new {
    color: var(--_link);
  }
  .tag.accepted,
  .tag.resolved {
    color: var(--_good);
  }
  .tag.rejected {
    color: var(--_bad);
  }
  .acts {
    display: flex;
    gap: 4px;
  }
  .detail {
    display: grid;
    gap: 12px;
    padding: 4px 16px 16px 40px;
    padding-inline: 40px 16px;
  }
  .quote {
    padding-inline-start: 12px;
    border-inline-start: 2px solid var(--_line-strong);
    color: var(--_dim);
    white-space: pre-line;
  }
  .label {
    margin-block-end: 4px;
    color: var(--_dim);
    font-size: var(--_size-small);
    font-weight: 600;
  }
  .fix {
    padding: 8px 12px;
    border-radius: var(--_radius);
    background: var(--_good-tint);
    white-space: pre-wrap;
  }
  .facts {
    display: grid;
    grid-template-columns: max-content minmax(0, 1fr);
    gap: 4px 16px;
    font-size: var(--_size-small);
  }
  .facts dt {
    color: var(--_dim);
  }
  .snippet {
    max-block-size: 160px;
    padding: 8px 12px;
    overflow: auto;
    border-radius: var(--_radius);
    background: var(--_tint);
    white-space: pre-wrap;
    direction: ltr;
    text-align: start;
  }
  .reason {
    display: grid;
    gap: 8px;
    padding: 12px;
    margin: 0 12px 12px;
    border: 1px solid var(--_line-strong);
    border-radius: var(--_radius);
    background: var(--_bg);
  }
  .reason label {
    font-weight: 500;
  }
  .reason .past,
  .reason .acts {
    flex-wrap: wrap;
  }
  .past {
    display: flex;
    gap: 4px;
  }
  .past .button {
    max-inline-size: 100%;
    white-space: normal;
    text-align: start;
  }
  .more {
    padding: 8px 12px;
    border-block-start: 1px solid var(--_line);
  }
  .foot {
    position: sticky;
    inset-block-end: 12px;
    z-index: 2;
    display: grid;
    gap: 8px;
    justify-items: center;
    pointer-events: none;
  }
  .toast {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    max-inline-size: 100%;
    padding: 8px 8px 8px 16px;
    padding-inline: 16px 8px;
    border: 1px solid var(--_line-strong);
    border-radius: var(--_radius-large);
    background: var(--_surface);
    box-shadow: var(--_shadow);
    pointer-events: auto;
  }
  .toast.undo {
    overflow: hidden;
    position: relative;
  }
  .toast.undo::after {
    content: '';
    position: absolute;
    inset: auto 0 0;
    block-size: 3px;
    background: var(--_accent-fill);
    transform-origin: 0 0;
    animation: rp-runs-out 8s linear forwards;
  }
  .toast.undo:dir(rtl)::after {
    transform-origin: 100% 0;
  }
  @keyframes rp-runs-out {
    to {
      transform: scaleX(0);
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .toast.undo::after {
      display: none;
    }
  }
  @container (max-width: 480px) {
    .line {
      gap: 8px;
      padding-inline: 10px;
    }
    .detail,
    .help {
      padding-inline-start: 12px;
    }
  }
  .root {
    container-type: inline-size;
  }
  @media (forced-colors: active) {
    .row.is-current > .line {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
    .chip[aria-pressed='true'] {
      outline: 2px solid Highlight;
    }
  }
`;
