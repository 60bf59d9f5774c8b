import type { Reached } from './follow-redirects.ts';

const PROBLEMS: Record<NonNullable<Reached['problem']>, string> = {
  'redirect-loop': 'it redirects in a circle',
  'too-many-redirects': 'it redirects too often',
  'bad-redirect': 'it redirects to what is no URL',
};

/** Why an address came to no page, in words that follow "it could not be read:". */
export function whyUnread({ final, problem }: Reached): string {
  if (problem) return PROBLEMS[problem];
  if (final.failure) return final.reason ?? final.failure;
  const isOk = final.status! >= 200 && final.status! < 300;
  return isOk ? 'it is no HTML' : `it answered with HTTP ${final.status}`;
}
