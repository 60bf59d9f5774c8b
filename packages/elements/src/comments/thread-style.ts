import { css } from 'lit';

export const threadStyle = css`
  .head {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px 12px;
    padding-block-end: 8px;
    font-size: var(--_size-small);
    color: var(--_dim);
  }
  .head .end {
    margin-inline-start: auto;
    display: flex;
    gap: 4px;
  }
  .status {
    font-weight: 600;
  }
  .status.terminal,
  .status.accepted {
    color: var(--_good);
  }
  .status.rejected {
    color: var(--_bad);
  }
  .comments {
    display: grid;
    gap: 16px;
  }
  .comment {
    display: grid;
    grid-template-columns: 26px minmax(0, 1fr);
    gap: 2px 10px;
  }
  .comment.is-pending {
    opacity: 0.7;
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
  .by time,
  .by .dim {
    color: var(--_dim);
    font-size: var(--_size-small);
  }
  .body {
    grid-column: 2;
    display: grid;
    gap: 6px;
    min-inline-size: 0;
  }
  .text {
    display: grid;
    gap: 6px;
  }
  .text .bullets {
    list-style: disc;
    padding-inline-start: 20px;
  }
  .text .numbers {
    list-style: decimal;
    padding-inline-start: 24px;
  }
  .text blockquote {
    padding-inline-start: 10px;
    border-inline-start: 2px solid var(--_line-strong);
    color: var(--_dim);
  }
  .text code {
    padding: 1px 4px;
    border-radius: 3px;
    background: var(--_tint);
  }
  .text pre {
    padding: 8px 10px;
    overflow: auto;
    border-radius: var(--_radius);
    background: var(--_tint);
  }
  .text pre code {
    padding: 0;
  }
  .mention {
    color: var(--_link);
    font-weight: 500;
  }
  .finding,
  .suggestion {
    display: grid;
    gap: 6px;
  }
  .quote {
    padding: 4px 12px;
    margin-block-end: 12px;
    border-inline-start: 3px solid var(--_line-strong);
    color: var(--_dim);
  }
  .finding .title {
    font-weight: 600;
  }
  .fix {
    padding: 8px 12px;
    border-radius: var(--_radius);
    background: var(--_good-tint);
    white-space: pre-wrap;
  }
  .label {
    color: var(--_dim);
    font-size: var(--_size-small);
    font-weight: 600;
  }
  .files,
  .ask,
  .acts {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 4px;
  }
  .files img {
    display: block;
    max-block-size: 140px;
    max-inline-size: 100%;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }
  .reaction {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    min-block-size: 26px;
    min-inline-size: 30px;
    padding: 0 8px;
    border: 1px solid var(--_line-strong);
    border-radius: 13px;
    background: var(--_surface);
    font-size: var(--_size-small);
  }
  .reaction[aria-pressed='true'] {
    border-color: var(--_focus);
    background: var(--_focus-tint);
  }
  .acts:empty {
    display: none;
  }
  .acts .button {
    color: var(--_dim);
  }
  .acts .button:hover {
    color: var(--_ink);
  }
  .decide {
    padding-block: 4px;
  }
  .foot {
    padding-block-start: 12px;
  }
  .decide {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
  }
  .reason {
    display: grid;
    gap: 8px;
    inline-size: 100%;
  }
  .problem {
    margin-block-start: 8px;
  }
`;
