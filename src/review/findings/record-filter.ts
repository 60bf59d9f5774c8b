import type { FindingConditions } from '../../shapes/agents/finding-record.ts';
import type { FindingRecordFilter } from '../../store/agents/finding-records.ts';
import { pageUrlOf } from './finding-to-annotation.ts';

const OPEN = ['undecided', 'accepted'];
const THERE = ['new', 'still_there'];

/** The conditions of a request with their defaults. */
export function recordFilterOf({
  severity,
  issueType,
  pageUrl,
  decision,
  state,
  ...others
}: FindingConditions): FindingRecordFilter {
  const isOne = others.fingerprint !== undefined;
  return {
    ...others,
    pageUrl: pageUrl === undefined ? undefined : pageUrlOf(pageUrl),
    severities: severity,
    issueTypes: issueType,
    decisions: decision ?? (isOne ? undefined : OPEN),
    states: state ?? (isOne ? undefined : THERE),
  };
}
