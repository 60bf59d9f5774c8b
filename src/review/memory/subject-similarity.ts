import { dotProduct } from '../../lib/vectors.ts';
import type { Subject } from './finding-subject.ts';

/**
 * Minimum cosine of complaints that count as the same; measured with the local model on 46 complaints in the words of
 * reviewers. The same complaint about other words of a page has a cosine of 0.88 to 1, and of 0.6 to 0.82 if the
 * reviewer words it differently. Different complaints stay below 0.80 (a sentence and a paragraph that are too long),
 * nearly all of them below 0.70.
 */
const MIN_COSINE_OF_SAME_TYPE = 0.85;
const MIN_COSINE_OF_OTHER_TYPE = 0.93;

export interface EmbeddedSubject {
  subject: Subject;
  maskedVector: Float32Array;
  fullVector: Float32Array;
}

/** Cosine of a finding and a subject that people decided on; undefined if they do not count as the same. */
export function similarityOf(finding: EmbeddedSubject, decided: EmbeddedSubject): number | undefined {
  const { boundTo, issueType } = finding.subject;
  const isBound = boundTo !== '';
  // A decision about certain words says nothing about other words.
  if (isBound ? !isAbout(decided.subject, boundTo) : decided.subject.boundTo !== '') return undefined;
  const similarity = isBound
    ? dotProduct(finding.fullVector, decided.fullVector)
    : dotProduct(finding.maskedVector, decided.maskedVector);
  const isSameType = issueType === decided.subject.issueType;
  return similarity >= (isSameType ? MIN_COSINE_OF_SAME_TYPE : MIN_COSINE_OF_OTHER_TYPE)
    ? similarity
    : undefined;
}

const WORD_CHARACTER = /[\p{L}\p{N}]/u;

/** True if a subject is about exactly these words, case included. */
function isAbout({ boundTo, fullText }: Subject, words: string): boolean {
  if (boundTo !== '') return boundTo === words;
  for (let at = fullText.indexOf(words); at >= 0; at = fullText.indexOf(words, at + 1)) {
    const [before, after] = [fullText[at - 1] ?? '', fullText[at + words.length] ?? ''];
    if (!WORD_CHARACTER.test(before) && !WORD_CHARACTER.test(after)) return true;
  }
  return false;
}
