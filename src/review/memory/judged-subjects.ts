import type { Db } from '../../db/tables.ts';
import type { Fields } from '../../lib/json.ts';
import type { Scope } from '../../lib/scope.ts';
import type { StoredJudgment } from '../../store/memory/judgments.ts';
import { judgedAnnotationKey, judgedAnnotations } from '../../store/memory/judgments.ts';
import { anchorOfSuggestion } from '../findings/finding-anchor.ts';
import { type Subject, subjectOf, subjectOfText } from './finding-subject.ts';

export interface JudgedSubject {
  judgment: StoredJudgment;
  subject: Subject;
}

/**
 * Subjects of judgments: the judged suggestion of an agent, or the content that was stored with the judgment if there is
 * no such suggestion. Judgments on findings of people are left out, as are those from pages with prompt injections.
 */
export async function judgedSubjects(
  db: Db,
  scope: Scope,
  judgments: readonly StoredJudgment[],
): Promise<JudgedSubject[]> {
  const comparable = judgments.filter(({ origin }) => origin !== 'finding');
  const bodies = await judgedAnnotations(db, scope, comparable);
  return comparable.flatMap((judgment) => {
    const { content, contentType } = judgment;
    const body = bodies.get(judgedAnnotationKey(judgment));
    if (isFromInjectedPage(judgment, body)) return [];
    const anchor = body && anchorOfSuggestion(body);
    if (anchor) return anchor.title === '' ? [] : [{ judgment, subject: subjectOf(anchor) }];
    return content?.trim() ? [{ judgment, subject: subjectOfText(contentType ?? '', content) }] : [];
  });
}

/** True if the page behind a judgment held prompt injections. `body` belongs to the judged annotation. */
export const isFromInjectedPage = (
  { agent }: Pick<StoredJudgment, 'agent'>,
  body: Fields | undefined,
): boolean =>
  agent?.injected === true || (body?.agent as { injected?: unknown } | undefined)?.injected === true;
