import { read } from '../../../http/endpoint.ts';
import { recordFilterOf } from '../../../review/findings/record-filter.ts';
import { findingConditions, findingCounts } from '../../../shapes/agents/finding-record.ts';
import { countFindingRecords } from '../../../store/agents/finding-records.ts';

export default read({
  path: '/v2/agents/findings/count',
  auth: 'apiKey',
  isHeavy: true,
  summary: 'Count findings over all runs by decision and severity.',
  description:
    'Takes the conditions of agents/findings/list, with the same defaults: by default it counts the findings that are open and still there. Each finding counts once in `total`, in `byDecision` and in `bySeverity`.',
  data: findingConditions.meta({
    examples: [
      {
        organizationId: 'acme',
        documentId: 'website',
        decision: ['undecided', 'accepted', 'rejected', 'resolved'],
      },
    ],
  }),
  dataOptional: true,
  result: findingCounts,
  message: 'Findings counted successfully',

  handle: (conditions, { caller, db }) =>
    countFindingRecords(db, caller.apiKeyId, recordFilterOf(conditions)),
});
