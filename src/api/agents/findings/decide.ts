import { succeeded } from '../../../http/audit-targets.ts';
import { write } from '../../../http/endpoint.ts';
import { decideOnFindings } from '../../../review/findings/decide-on-findings.ts';
import { decidedFindings, findingDecision } from '../../../shapes/agents/finding-record.ts';

export default write({
  path: '/v2/agents/findings/decide',
  auth: 'apiKeyOrUser',
  scope: 'decide',
  summary: 'Accept, reject or resolve findings, or take a decision back.',
  description:
    'The decision holds for later runs. If a suggestion on a document stands for the finding, it is decided too, and with it all findings for which it stands; accepting and rejecting a suggestion is final. A finding without a suggestion may be decided anew. Users of tokens decide on findings on documents that they may edit. An AI assistant may decide on 20 findings in a minute; its decisions name it in `decidedBy`, and a person may decide anew on all of them.',
  data: findingDecision.meta({
    examples: [
      {
        findingIds: ['fnd_1a2B3cD4eF5gH6iJ7kL8'],
        decision: 'rejected',
        reason: 'It is a quotation.',
        actionUser: { userId: 'eve', name: 'Eve' },
      },
    ],
  }),
  result: decidedFindings.describe('Keyed by finding id.'),
  message: 'Findings decided successfully',
  failures: {
    RESOURCE_EXHAUSTED: 'An AI assistant has decided on 20 findings in the last minute.',
    PERMISSION_DENIED:
      'A user names another user as actionUser, or a finding is on a document that the user may only read.',
  },
  decisionsOfAssistant: ({ findingIds }) => new Set(findingIds).size,
  audit: {
    action: 'finding.decided',
    of: ({ decision }, items) => succeeded(items).map((id) => ({ id, after: { decision } })),
  },

  handle: (data, { tx, caller }) => decideOnFindings(tx, caller, data),
});
