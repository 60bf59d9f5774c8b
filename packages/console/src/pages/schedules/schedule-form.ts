import type { ReviewSchedule, ScheduledReview } from '@redpen/client';

export type Rhythm = 'hourly' | 'daily' | 'weekdays' | 'weekly' | 'monthly' | 'custom';

/** What the dialog edits. */
export interface ScheduleForm {
  name: string;
  rhythm: Rhythm;
  time: string;
  weekday: string;
  cron: string;
  timeZone: string;
  urls: string;
  preset: string;
  agents: readonly string[];
  groupId: string;
  crossPage: boolean;
  maxPages: string;
  device: 'desktop' | 'mobile';
  organizationId: string;
  documentId: string;
}

/** A value of choices that stands for none. */
export const NONE = 'none';

export const emptyForm = (timeZone: string): ScheduleForm => ({
  name: '',
  rhythm: 'weekly',
  time: '07:00',
  weekday: '1',
  cron: '0 7 * * 1',
  timeZone,
  urls: '',
  preset: 'launch',
  agents: [],
  groupId: NONE,
  crossPage: true,
  maxPages: '50',
  device: 'desktop',
  organizationId: '',
  documentId: '',
});

/** False if the rhythm needs a time of day and the form has none. */
export const hasTime = ({ rhythm, time }: Pick<ScheduleForm, 'rhythm' | 'time'>): boolean =>
  rhythm === 'hourly' || rhythm === 'custom' || /^([01]?\d|2[0-3]):[0-5]\d$/.test(time.trim());

/** The most pages that the service reviews at once. */
const MOST_PAGES = 10_000;

/** What has to be mended before the schedule can be saved, by field. */
export function problemsOf(form: ScheduleForm): Partial<Record<keyof ScheduleForm, string>> {
  const { crossPage, maxPages } = form;
  const most = /^\d+$/.test(maxPages.trim()) ? Number(maxPages) : 0;
  const hasOrganization = form.organizationId.trim() !== '';
  const hasDocument = form.documentId.trim() !== '';
  return {
    ...(crossPage &&
      (most < 1 || most > MOST_PAGES) && { maxPages: 'Write a whole number from 1 to 10,000.' }),
    ...(hasOrganization && !hasDocument && { documentId: 'Write a document too, or no organization.' }),
    ...(hasDocument && !hasOrganization && { organizationId: 'Write the organization of the document.' }),
  };
}

const two = (text: string): string => text.padStart(2, '0');

/** The rhythm that makes an expression, if one of the simple ones does. */
export function rhythmOf(cron: string): Pick<ScheduleForm, 'rhythm' | 'time' | 'weekday'> {
  const [minute = '', hour = '', day, month, weekday = ''] = cron.trim().split(/\s+/);
  const custom = { rhythm: 'custom', time: '07:00', weekday: '1' } as const;
  if (!/^\d{1,2}$/.test(minute) || month !== '*') return custom;
  if (hour === '*' && day === '*' && weekday === '*')
    return minute === '0' ? { ...custom, rhythm: 'hourly' } : custom;
  if (!/^\d{1,2}$/.test(hour)) return custom;
  const time = `${two(hour)}:${two(minute)}`;
  if (day === '1' && weekday === '*') return { rhythm: 'monthly', time, weekday: '1' };
  if (day !== '*') return custom;
  if (weekday === '*') return { rhythm: 'daily', time, weekday: '1' };
  if (weekday === '1-5') return { rhythm: 'weekdays', time, weekday: '1' };
  return /^[0-6]$/.test(weekday) ? { rhythm: 'weekly', time, weekday } : custom;
}

/** The expression of a form. */
export function cronOf({ rhythm, time, weekday, cron }: ScheduleForm): string {
  const [hour = '7', minute = '0'] = time.split(':').map((part) => String(Number(part) || 0));
  switch (rhythm) {
    case 'hourly':
      return '0 * * * *';
    case 'daily':
      return `${minute} ${hour} * * *`;
    case 'weekdays':
      return `${minute} ${hour} * * 1-5`;
    case 'weekly':
      return `${minute} ${hour} * * ${weekday}`;
    case 'monthly':
      return `${minute} ${hour} 1 * *`;
    default:
      return cron.trim();
  }
}

export function formOf({ name, cron, timeZone, review, metadata }: ReviewSchedule): ScheduleForm {
  return {
    name,
    ...rhythmOf(cron),
    cron,
    timeZone,
    urls: review.urls.join('\n'),
    preset: review.preset ?? NONE,
    agents: review.agents ?? [],
    groupId: review.groupId ?? NONE,
    crossPage: review.crossPageExecute,
    maxPages: String(review.maxUrlsToProcess),
    device: review.deviceType,
    organizationId: metadata.organizationId,
    documentId: metadata.documentId,
  };
}

/** The review of a form, for requests. */
export function reviewOf(form: ScheduleForm): ScheduledReview {
  const urls = form.urls
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return {
    urls,
    ...(form.preset !== NONE && { preset: form.preset as NonNullable<ScheduledReview['preset']> }),
    ...(form.agents.length > 0 && { agents: [...form.agents] }),
    ...(form.groupId !== NONE && { groupId: form.groupId }),
    crossPageExecute: form.crossPage,
    ...(form.crossPage && { maxUrlsToProcess: Number(form.maxPages) }),
    deviceType: form.device,
    ...(form.documentId.trim() !== '' && {
      organizationId: form.organizationId.trim(),
      documentId: form.documentId.trim(),
    }),
  };
}

/** True if the forms start different reviews. Only then is the review sent: it replaces the earlier one as a whole. */
export const isOtherReview = (one: ScheduleForm, other: ScheduleForm): boolean =>
  JSON.stringify(reviewOf(one)) !== JSON.stringify(reviewOf(other));
