import type { ReviewRequest } from '@redpen/client';
import { addressOf } from './trial.ts';

export const PRESETS = [
  {
    id: 'launch',
    label: 'Launch',
    hint: 'Links, accessibility, spelling, placeholders, preview image, secrets',
  },
  { id: 'content', label: 'Content', hint: 'Spelling, placeholders, language and links' },
  { id: 'accessibility', label: 'Accessibility', hint: 'WCAG 2.2, levels A and AA' },
  { id: 'privacy', label: 'Privacy', hint: 'Personal data and secrets' },
] as const;

export type Preset = (typeof PRESETS)[number]['id'];

/** A new review as a person fills it in. */
export interface ReviewForm {
  /** One address a line. */
  urls: string;
  by: 'preset' | 'agents' | 'group';
  preset: Preset;
  agents: readonly string[];
  groupId: string | undefined;
  isWholeSite: boolean;
  maxUrls: string;
  hasSitemap: boolean;
  /** One glob a line. */
  globs: string;
  deviceType: 'desktop' | 'mobile';
  organizationId: string | undefined;
  documentId: string | undefined;
}

export const EMPTY_FORM: ReviewForm = {
  urls: '',
  by: 'preset',
  preset: 'launch',
  agents: [],
  groupId: undefined,
  isWholeSite: false,
  maxUrls: '50',
  hasSitemap: false,
  globs: '',
  deviceType: 'desktop',
  organizationId: undefined,
  documentId: undefined,
};

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** What has to be mended before the review can start, by field. */
export function problemsOf(form: ReviewForm): Partial<Record<keyof ReviewForm, string>> {
  const lines = linesOf(form.urls);
  const wrong = lines.find((line) => addressOf(line) === undefined);
  const most = Number(form.maxUrls);
  return {
    ...(wrong !== undefined && { urls: `“${wrong}” is no address of a page.` }),
    ...(lines.length === 0 && { urls: 'Write at least one address.' }),
    ...(form.by === 'agents' && form.agents.length === 0 && { agents: 'Choose at least one agent.' }),
    ...(form.by === 'group' && form.groupId === undefined && { groupId: 'Choose a group.' }),
    ...(form.organizationId !== undefined &&
      form.documentId === undefined && { documentId: 'Choose a document, or no organization.' }),
    ...(form.isWholeSite &&
      !(Number.isInteger(most) && most >= 1) && { maxUrls: 'Write a whole number from 1.' }),
  };
}

/** The data of reviews/run. */
export function requestOf(form: ReviewForm): ReviewRequest {
  const globs = linesOf(form.globs);
  const { organizationId, documentId } = form;
  return {
    urls: linesOf(form.urls).map((line) => addressOf(line) ?? line),
    ...(form.by === 'preset' && { preset: form.preset }),
    ...(form.by === 'agents' && { agents: form.agents }),
    ...(form.by === 'group' && form.groupId !== undefined && { groupId: form.groupId }),
    ...(form.isWholeSite && {
      crossPageExecute: true,
      maxUrlsToProcess: Number(form.maxUrls),
      ...(form.hasSitemap && { sitemap: true }),
      ...(globs.length > 0 && { pages: globs }),
    }),
    ...(form.deviceType === 'mobile' && { deviceType: 'mobile' as const }),
    ...(organizationId !== undefined && documentId !== undefined && { organizationId, documentId }),
  };
}
