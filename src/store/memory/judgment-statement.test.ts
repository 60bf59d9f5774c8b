import type { CompiledQuery } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { capturing } from '../../../test/database/captured-queries.ts';
import { newDatabase } from '../../../test/database/new-database.ts';
import { prepareComments } from '../../annotations/comment-draft.ts';
import { openDatabase } from '../../db/connections/connect.ts';
import { commentInsertion } from '../annotations/insert-comments.ts';

const scope = { workspaceId: 'w', apiKeyId: 'k' };
const annotation = { organizationId: 'acme', documentId: 'home', annotationId: 'headline' };
const draft = {
  commentText: 'Agreed.',
  from: { userId: 'ada' },
  type: 'text' as const,
  triggerNotification: false,
  triggerActivities: false,
};

test.each([1, 2])(
  'the server finds a thread by the index on annotations, even without statistics: %i comments',
  async (many) => {
    const { url } = await newDatabase();
    const { db, close } = await openDatabase({
      databaseUrl: url,
      onError: (error) => expect.fail(error.message),
    });
    onTestFinished(close);
    const { db: captured, queries } = capturing(db);
    const drafts = Array.from({ length: many }, () => draft);
    const comments = prepareComments(drafts, { now: 1, byUser: false, path: [] });
    const insertion = await commentInsertion(captured, scope, annotation, comments, {
      byUser: false,
      attempt: 0,
    });
    await insertion.statement.run(captured);
    const { sql, parameters } = queries.at(-1)!;
    const explain = { sql: `explain ${sql}`, parameters } as CompiledQuery<Record<string, string>>;
    const { rows } = await db.executeQuery(explain);
    const plan = rows.flatMap((row) => Object.values(row)).join('\n');
    expect(plan).toContain('Index Scan using judgments_of_annotation on judgments');
  },
);
