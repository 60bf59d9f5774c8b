import { css } from 'lit';

export const composerStyle = css`
  .composer {
    position: relative;
    display: grid;
    gap: 8px;
  }
  .area {
    position: relative;
  }
  textarea.field {
    display: block;
    min-block-size: 56px;
    max-block-size: 40vh;
    padding: 8px 12px;
    resize: vertical;
    field-sizing: content;
    line-height: var(--_leading);
  }
  .is-dropping textarea {
    outline: 2px dashed var(--_focus);
    outline-offset: -4px;
    background: var(--_focus-tint);
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
  }
  .end {
    margin-inline-start: auto;
  }
  .people {
    position: absolute;
    z-index: 4;
    inset-block-start: calc(100% + 4px);
    inset-inline: 0 auto;
    inline-size: min(100%, 320px);
    padding: 4px;
    border: 1px solid var(--_line-strong);
    border-radius: var(--_radius-large);
    background: var(--_surface);
    box-shadow: var(--_shadow);
  }
  .person {
    display: flex;
    align-items: center;
    gap: 8px;
    padding: 6px 8px;
    border-radius: var(--_radius);
    cursor: pointer;
  }
  .person.is-active {
    background: var(--_focus-tint);
  }
  .files {
    display: flex;
    flex-wrap: wrap;
    gap: 4px;
    font-size: var(--_size-small);
  }
  .files li {
    display: inline-flex;
    align-items: center;
    gap: 4px;
    position: relative;
    overflow: hidden;
    max-inline-size: 100%;
    padding-inline: 10px 2px;
    border: 1px solid var(--_line-strong);
    border-radius: var(--_radius);
    background: var(--_surface);
  }
  .files .is-sent::after {
    content: '';
    position: absolute;
    inset: auto auto 0 0;
    block-size: 3px;
    inline-size: calc(var(--part) * 100%);
    background: var(--_accent-fill);
  }
  @media (forced-colors: active) {
    .person.is-active {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
  }
`;
