import { dotProduct } from '../../lib/vectors.ts';
import type { Matter } from './finding-subject.ts';

/**
 * From where on two complaints are taken for the same; measured with the local model on 46 complaints in the words of
 * reviewers. The same complaint of other words of a page has a cosine of 0.88 to 1, and 0.6 to 0.82 where the reviewer
 * puts it differently; different ones stay below 0.80 (a sentence and a paragraph that are too long), nearly all of
 * them below 0.70.
 */
const SAME_TYPE = 0.85;
/** Where they do not even have the same kind of issue. */
const OTHER_TYPE = 0.93;

/** A matter with the vectors of its words. */
export interface Placed {
  matter: Matter;
  complaint: Float32Array;
  whole: Float32Array;
}

/** How alike a finding and something that people decided on are, as a cosine; undefined where they are not the same. */
export function likeness(finding: Placed, decided: Placed): number | undefined {
  const { subject, issueType } = finding.matter;
  const least = issueType === decided.matter.issueType ? SAME_TYPE : OTHER_TYPE;
  if (subject !== '') {
    if (!names(decided.matter, subject)) return undefined;
    const alike = dotProduct(finding.whole, decided.whole);
    return alike >= least ? alike : undefined;
  }
  // A decision on certain words says nothing of others.
  if (decided.matter.subject !== '') return undefined;
  const alike = dotProduct(finding.complaint, decided.complaint);
  return alike >= least ? alike : undefined;
}

const LETTER = /[\p{L}\p{N}]/u;

/** Whether a matter is about just these words; in other cases they are other words. */
function names({ subject, whole }: Matter, wanted: string): boolean {
  if (subject !== '') return subject === wanted;
  for (let at = whole.indexOf(wanted); at >= 0; at = whole.indexOf(wanted, at + 1)) {
    const [before, after] = [whole[at - 1] ?? '', whole[at + wanted.length] ?? ''];
    if (!LETTER.test(before) && !LETTER.test(after)) return true;
  }
  return false;
}
