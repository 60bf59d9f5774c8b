import { md5 } from '../../lib/ids.ts';
import type { Finding } from '../../shapes/agents/execution.ts';
import { pageUrlOf } from './finding-to-annotation.ts';

type Fingerprinted = Pick<Finding, 'issueType' | 'causeId' | 'targetText' | 'title'>;

/**
 * The text of a new fingerprint without the number that tells equal findings of a page apart: the agent, the page, the
 * issue type and the cause, that is, the address, words or component. `0018-finding-records.ts` repeats the recipe.
 */
export const fingerprintBase = (agentId: string, pageUrl: string, finding: Fingerprinted): string =>
  [agentId, pageUrlOf(pageUrl), finding.issueType, finding.causeId ?? md5(wordsOf(finding))].join('\n');

const wordsOf = ({ targetText, title }: Fingerprinted): string => (targetText || title).toLowerCase();

/** A fingerprint with the lowest number that is not taken yet. */
export function newFingerprint(base: string, isTaken: (fingerprint: string) => boolean): string {
  for (let number = 1; ; number++) {
    const fingerprint = md5(`${base}\n${number}`);
    if (!isTaken(fingerprint)) return fingerprint;
  }
}
