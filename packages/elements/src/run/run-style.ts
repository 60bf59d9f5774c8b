import { css } from 'lit';

export const runStyle = css`
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 16px;
  }
  .state {
    display: flex;
    align-items: center;
    gap: 8px;
    font-size: var(--_size-large);
    font-weight: 600;
  }
  .facts {
    display: flex;
    flex: 1;
    flex-wrap: wrap;
    gap: 0 16px;
    color: var(--_dim);
    font-variant-numeric: tabular-nums;
  }
  .mark {
    display: grid;
    place-items: center;
    flex: none;
    inline-size: 18px;
    block-size: 18px;
    border-radius: 50%;
  }
  .mark .icon-image {
    inline-size: 12px;
    block-size: 12px;
    stroke-width: 2.5;
  }
  .mark.clean {
    background: var(--_good-tint);
    color: var(--_good);
  }
  .mark.findings::after {
    content: '';
    inline-size: 10px;
    block-size: 10px;
    border-radius: 50%;
    background: var(--_accent);
  }
  .mark.incomplete {
    color: var(--_warn);
  }
  .mark.incomplete .icon-image {
    inline-size: 18px;
    block-size: 18px;
    stroke-width: 1.75;
  }
  .mark.broken {
    background: var(--_bad-tint);
    color: var(--_bad);
  }
  .mark.running {
    border: 2px solid var(--_line-strong);
    border-block-start-color: var(--_accent);
    animation: rp-turns 900ms linear infinite;
  }
  @keyframes rp-turns {
    to {
      rotate: 1turn;
    }
  }
  .bar {
    block-size: 6px;
    overflow: hidden;
    border-radius: 3px;
    background: var(--_line);
  }
  .bar span {
    display: block;
    inline-size: calc(var(--part) * 100%);
    block-size: 100%;
    border-radius: inherit;
    background: var(--_accent-fill);
    transition: inline-size 300ms;
  }
  .bar.unknown span {
    opacity: 0.4;
    animation: rp-breathes 1.2s ease-in-out infinite alternate;
  }
  @keyframes rp-breathes {
    to {
      opacity: 0.1;
    }
  }
  .head + .bar {
    margin-block-start: 8px;
  }
  .runs {
    margin-block-start: 12px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius-large);
    background: var(--_surface);
  }
  .run + .run {
    border-block-start: 1px solid var(--_line);
  }
  .run-head {
    display: flex;
    align-items: center;
    gap: 12px;
    min-block-size: 40px;
    padding-inline: 12px;
  }
  .run-head .bar {
    flex: 0 1 120px;
  }
  .toggle {
    display: flex;
    flex: 1;
    align-items: center;
    gap: 8px;
    min-inline-size: 0;
    min-block-size: 32px;
    padding: 0;
    border: 0;
    border-radius: var(--_radius-small);
    background: none;
    font-weight: 500;
    text-align: start;
  }
  .chevron {
    color: var(--_dim);
    transition: rotate 120ms;
  }
  [aria-expanded='true'] > .chevron {
    rotate: 90deg;
  }
  [aria-expanded='true'] > .chevron:dir(rtl) {
    rotate: -90deg;
  }
  .count {
    min-inline-size: 88px;
    color: var(--_dim);
    font-size: var(--_size-small);
    text-align: end;
    font-variant-numeric: tabular-nums;
  }
  .count.has {
    color: var(--_ink);
    font-weight: 600;
  }
  .run .problem {
    margin: 0 12px 8px;
  }
  .log {
    max-block-size: 240px;
    padding: 8px 12px;
    overflow: auto;
    border-block-start: 1px solid var(--_line);
    background: var(--_tint);
    font: 12px/1.6 var(--_mono);
  }
  .log li {
    display: flex;
    gap: 12px;
  }
  .log time {
    flex: none;
    color: var(--_dim);
  }
  .log .warn span {
    color: var(--_warn);
  }
  .log .error span {
    color: var(--_bad);
  }
  @media (forced-colors: active) {
    .bar {
      border: 1px solid CanvasText;
    }
    .bar span {
      forced-color-adjust: none;
      background: Highlight;
    }
    .mark.findings::after {
      forced-color-adjust: none;
      background: CanvasText;
    }
  }
`;
