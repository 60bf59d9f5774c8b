import { html, type TemplateResult } from 'lit';

const drawn = (path: string, more = ''): TemplateResult =>
  html`<svg class="icon-image ${more}" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d=${path}></path></svg>`;

export const checkIcon = drawn('M3 8.5 6.5 12 13 4.5');
export const crossIcon = drawn('M4 4l8 8M12 4l-8 8');
export const chevronIcon = drawn('M6 3.5 10.5 8 6 12.5', 'turns chevron');
export const undoIcon = drawn('M6 3 3 6l3 3M3 6h6.5a3.5 3.5 0 0 1 0 7H7', 'turns');
export const linkIcon = drawn('M9 3h4v4M13 3 7.5 8.5M11 9.5V13H3V5h3.5', 'turns');
export const bellIcon = drawn(
  'M4 7a4 4 0 0 1 8 0c0 3.5 1.5 4.5 1.5 4.5h-11S4 10.5 4 7M6.5 13.5a1.5 1.5 0 0 0 3 0',
);
export const clipIcon = drawn(
  'M13 7.5 7.8 12.7a3.2 3.2 0 0 1-4.5-4.5l5.4-5.4a2.1 2.1 0 0 1 3 3L6.4 11a1 1 0 0 1-1.5-1.5l4.8-4.7',
);
export const replyIcon = drawn('M6.5 3.5 2.5 7.5l4 4M2.5 7.5H9a4.5 4.5 0 0 1 4.5 4.5v.5', 'turns');
export const moreIcon = drawn('M3.5 8h.01M8 8h.01M12.5 8h.01', 'bold');
export const smileIcon = drawn(
  'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM5.5 9.5s.8 1.5 2.5 1.5 2.5-1.5 2.5-1.5M6 6.2v.3M10 6.2v.3',
);
export const questionIcon = drawn(
  'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM6.3 6.4a1.8 1.8 0 1 1 2.6 1.7c-.6.3-.9.6-.9 1.2M8 11.3v.01',
);
