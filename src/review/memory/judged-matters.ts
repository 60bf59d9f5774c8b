import type { Db } from '../../db/tables.ts';
import type { Scope } from '../../lib/scope.ts';
import type { StoredJudgment } from '../../store/memory/judgments.ts';
import { annotationKey, judgedAnnotations } from '../../store/memory/judgments-among.ts';
import { anchorOfSuggestion } from '../findings/finding-anchor.ts';
import { type Matter, matterOf, matterOfText } from './finding-subject.ts';
import { isPoisoned } from './is-poisoned.ts';

/**
 * What judgments are about: the suggestion of an agent as it stands, or what was kept of it where it is gone or came
 * from elsewhere. Those on what people wrote themselves are left out, and those that a page led to that gives orders.
 */
export async function judgedMatters(
  db: Db,
  scope: Scope,
  judgments: readonly StoredJudgment[],
): Promise<{ judgment: StoredJudgment; matter: Matter }[]> {
  const able = judgments.filter(({ origin }) => origin !== 'finding');
  const bodies = await judgedAnnotations(db, scope, able);
  return able.flatMap((judgment) => {
    const { content, contentType } = judgment;
    const body = bodies.get(annotationKey(judgment));
    if (isPoisoned(judgment, body)) return [];
    const said = body && anchorOfSuggestion(body);
    if (said) return said.title === '' ? [] : [{ judgment, matter: matterOf(said) }];
    return content?.trim() ? [{ judgment, matter: matterOfText(contentType ?? '', content) }] : [];
  });
}
