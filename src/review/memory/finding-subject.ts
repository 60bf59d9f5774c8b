import type { Anchor } from '../findings/finding-anchor.ts';

/** Subject of a finding, or of the suggestion or text that people decided on, for comparison with others. */
export interface Subject {
  issueType: string;
  /** The complaint with quotes, addresses and target words masked, so that it reads the same for other places. */
  maskedText: string;
  /** The complaint as it is, with its target words. */
  fullText: string;
  /**
   * Words or address that the complaint is bound to, such as a misspelled word, a number or a dead link; empty if the
   * complaint could be made of any place.
   */
  boundTo: string;
}

const QUOTED =
  /“[^“”]*”|„[^„“”]*[“”]|«[^«»]*»|"[^"]*"|‘[^‘’]*’|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])|`[^`]*`/gu;
const ADDRESS = /\bhttps?:\/\/\S+/g;
/** A masked complaint with fewer words would match anything. */
const MIN_WORDS = 4;

const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];

const normalized = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();

export function subjectOf({
  issueType,
  title,
  description,
  targetText,
  url,
}: Pick<Anchor, 'issueType' | 'title' | 'description' | 'targetText' | 'url'>): Subject {
  const complaint = normalized(`${title}\n${description}`);
  const maskedText = mask(complaint, targetText);
  const target = normalized(targetText);
  // Titles by rule name the word that they are about; those of models often quote it.
  const isInTitle = target !== '' && title.includes(target);
  const isBound =
    url !== '' ||
    (target !== '' && (wordsIn(target).length === 1 || /\d/.test(target) || isInTitle)) ||
    wordsIn(maskedText).length < MIN_WORDS;
  return {
    issueType,
    maskedText,
    fullText: target !== '' && !complaint.includes(target) ? `${complaint}\n${target}` : complaint,
    boundTo: !isBound ? '' : url || target || complaint,
  };
}

/** Subject of a text whose target words are not known. */
export const subjectOfText = (issueType: string, text: string): Subject => ({
  issueType,
  maskedText: mask(normalized(text), ''),
  fullText: normalized(text),
  boundTo: '',
});

function mask(text: string, targetText: string): string {
  const masked = text.replace(ADDRESS, '…').replace(QUOTED, '…');
  const target = normalized(targetText);
  return wordsIn(target).length === 0 ? masked : masked.replaceAll(target, '…');
}
