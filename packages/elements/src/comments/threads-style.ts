import { css } from 'lit';

export const threadsStyle = css`
  .bar {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
    padding-block-end: 12px;
  }
  .bar .field {
    inline-size: auto;
  }
  .chip {
    min-block-size: 32px;
    padding: 4px 12px;
    border: 1px solid var(--_line-strong);
    border-radius: 16px;
    background: var(--_surface);
    font-size: var(--_size-small);
  }
  .chip:hover {
    border-color: var(--_edge);
  }
  .chip[aria-pressed='true'] {
    border-color: var(--_ink);
    box-shadow: inset 0 0 0 1px var(--_ink);
    font-weight: 600;
  }
  .note {
    padding: 6px 12px;
    margin-block-end: 8px;
    border-radius: var(--_radius);
    background: var(--_warn-tint);
    color: var(--_warn);
    font-size: var(--_size-small);
  }
  .list {
    display: grid;
    gap: 8px;
  }
  .card {
    position: relative;
    border: 1px solid var(--_line);
    border-radius: var(--_radius-large);
    background: var(--_surface);
  }
  .card:hover {
    border-color: var(--_line-strong);
  }
  .card.is-open {
    border-color: var(--_line-strong);
    box-shadow: var(--_shadow);
  }
  .open {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 10px;
    inline-size: 100%;
    padding: 10px 12px;
    border: 0;
    border-radius: inherit;
    background: none;
    text-align: start;
  }
  .about {
    display: grid;
    gap: 2px;
  }
  .by {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0 8px;
    min-block-size: 26px;
  }
  .by b {
    font-weight: 600;
  }
  time,
  .replies {
    color: var(--_dim);
    font-size: var(--_size-small);
  }
  .is-closed .excerpt {
    color: var(--_dim);
  }
  .is-unread .excerpt {
    font-weight: 600;
  }
  .excerpt {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    overflow: hidden;
  }
  .excerpt .severity {
    vertical-align: -4px;
  }
  .dot {
    inline-size: 8px;
    block-size: 8px;
    margin-inline-start: auto;
    border-radius: 50%;
    background: var(--_accent);
  }
  .is-open > .open {
    align-items: center;
    gap: 6px;
    min-block-size: 44px;
    font-size: var(--_size-small);
  }
  .is-open .chevron {
    rotate: 90deg;
    color: var(--_dim);
  }
  .inside {
    padding: 0 12px 12px;
  }
  .inside > rp-thread::part(header) {
    position: absolute;
    inset-block-start: 8px;
    inset-inline-end: 12px;
  }
  .orphans {
    margin-block-start: 16px;
    padding-block-start: 12px;
    border-block-start: 1px dashed var(--_line-strong);
  }
  .orphans .heading {
    margin-block-end: 8px;
    color: var(--_dim);
    font-size: var(--_size-small);
  }
  .foot {
    padding-block-start: 16px;
  }
  @media (forced-colors: active) {
    .dot {
      forced-color-adjust: none;
      background: Highlight;
    }
    .chip[aria-pressed='true'] {
      outline: 2px solid Highlight;
    }
  }
`;
