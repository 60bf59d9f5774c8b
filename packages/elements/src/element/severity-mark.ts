import type { Severity } from '@redpen/client';
import { html, type TemplateResult } from 'lit';
import type { Words } from './words.ts';

/** Shape and letter, which read as the name of the severity. */
export const severityShape = (severity: Severity, words: Words): TemplateResult =>
  html`<span class="severity k-${severity}" role="img" aria-label=${words.t(`severity.${severity}`)}
    ><span class="shape" aria-hidden="true">${words.t(`severity.${severity}.letter`)}</span></span>`;

/** The same with the name written beside it. */
export const severityLabel = (severity: Severity, words: Words): TemplateResult =>
  html`<span class="severity k-${severity}" part="severity"
    ><span class="shape" aria-hidden="true">${words.t(`severity.${severity}.letter`)}</span>${words.t(
      `severity.${severity}`,
    )}</span>`;
