import type { User } from '@redpen/client';
import { css, html, type TemplateResult } from 'lit';

/** The first letters of the first and last word of a name, as readers see them. */
export function initialsOf({ name, email, userId }: User): string {
  const words = (name || email || userId).split(/[\s.@_-]+/).filter(Boolean);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters
    .map((word) => [...new Intl.Segmenter().segment(word ?? '')][0]?.segment ?? '')
    .join('')
    .toUpperCase();
}

const HUES = 8;

/** The same person has the same color everywhere. */
export const hueOf = (userId: string): number =>
  [...userId].reduce((sum, char) => (sum * 31 + char.codePointAt(0)!) % 9_973, 7) % HUES;

/** A picture beside a name, so it has no name of its own. */
export const avatar = (user: User | undefined, isAgent = false): TemplateResult =>
  html`<span class="avatar ${isAgent ? 'agent' : `hue-${hueOf(user?.userId ?? '')}`}" part="avatar" aria-hidden="true">${
    isAgent ? '✎' : user ? initialsOf(user) : '?'
  }</span>`;

/** White letters on these have a contrast of 4.5. */
export const avatarStyle = css`
  .avatar {
    display: inline-grid;
    place-items: center;
    flex: none;
    inline-size: 26px;
    block-size: 26px;
    border-radius: 50%;
    background: #5b5f6a;
    color: #ffffff;
    font-size: 11px;
    font-weight: 650;
    line-height: 1;
    letter-spacing: 0.02em;
    user-select: none;
  }
  .avatar.agent {
    border-radius: var(--_radius);
    background: var(--_accent-fill);
    font-size: 14px;
  }
  .hue-1 {
    background: #2a5db0;
  }
  .hue-2 {
    background: #176b41;
  }
  .hue-3 {
    background: #7a3fa0;
  }
  .hue-4 {
    background: #9a4a10;
  }
  .hue-5 {
    background: #a32a62;
  }
  .hue-6 {
    background: #13696f;
  }
  .hue-7 {
    background: #6b5a10;
  }
`;
