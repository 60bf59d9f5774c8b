import { plural } from '../../lib/text/plural.ts';
import { nameLanguages } from '../rules/spelling/foreign-text.ts';
import { sharedSpeller } from '../rules/spelling/speller.ts';
import { proofread } from '../rules/spelling/spelling.ts';
import { countByType, loadReviewedPage, READ_BY_RULES } from './load-reviewed-page.ts';
import type { Service } from './review-service.ts';

/** Finds misspelled and repeated words in the English text of a page. */
export const spellCheck: Service = {
  id: 'spell-check',
  isPublic: false,
  reads: READ_BY_RULES,
  isQuick: true,

  async run(task, context) {
    const { words } = await loadReviewedPage(task, context);
    const { findings, wordsChecked, skippedLanguages } = await proofread(words, sharedSpeller());
    const data = {
      wordsChecked,
      byType: countByType(findings),
      ...(skippedLanguages.length > 0 && { languagesPassedOver: skippedLanguages }),
    };
    const summary = `Checked ${plural(wordsChecked, 'word')}; ${plural(findings.length, 'problem')} found.`;
    if (skippedLanguages.length === 0) return { findings, data, summary };
    const languages = nameLanguages(skippedLanguages);
    if (wordsChecked === 0) {
      const skipped = `The text is in ${languages}, and there are dictionaries for English alone.`;
      return { findings, data, summary: skipped, skipped };
    }
    const note = `Text in ${languages} was passed over, since there are dictionaries for English alone.`;
    context.log({
      level: 'warn',
      message: `${task.url}: ${note}`,
      data: { url: task.url, languages: skippedLanguages },
    });
    return { findings, data, summary: `${summary} ${note}` };
  },
};
