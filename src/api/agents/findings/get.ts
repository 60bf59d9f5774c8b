import { z } from 'zod';
import { read } from '../../../http/endpoint.ts';
import { notFound } from '../../../lib/errors.ts';
import { showFindings } from '../../../review/findings/show-findings.ts';
import { findingDetail, findingId } from '../../../shapes/agents/finding-record.ts';
import { historyOf, screenshotOf } from '../../../store/agents/finding-history.ts';
import { getFindingRecords } from '../../../store/agents/finding-records.ts';

export default read({
  path: '/v2/agents/findings/get',
  auth: 'apiKey',
  summary: 'Get a finding with its decision, its picture, and the runs that saw it.',
  description:
    'The screenshot is that of the last run that saw the finding, and absent if that run kept none. The history has the last 50 runs, newest first. agents/findings/decide records a decision on the finding.',
  data: z.strictObject({ findingId }).meta({ examples: [{ findingId: 'fnd_1a2B3cD4eF5gH6iJ7kL8' }] }),
  result: findingDetail,
  message: 'Finding fetched successfully',
  failures: { NOT_FOUND: 'The finding does not exist.' },

  async handle({ findingId }, { caller, db }) {
    const rows = await getFindingRecords(db, caller.apiKeyId, [findingId]);
    const [finding] = await showFindings(db, caller.apiKeyId, rows);
    const [row] = rows;
    if (!row || !finding) throw notFound(`Finding not found: ${findingId}`);
    const screenshot = await screenshotOf(db, row);
    const history = await historyOf(db, row);
    return {
      finding,
      ...(screenshot && { screenshot }),
      history: history.map(({ comparison, decision, ...run }) => ({
        ...run,
        ...(comparison !== null && { comparison }),
        ...(decision !== null && { decision }),
      })),
    };
  },
});
