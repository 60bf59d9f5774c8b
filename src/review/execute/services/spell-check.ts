import { sharedSpeller } from '../../rules/spelling/speller.ts';
import { proofread } from '../../rules/spelling/spelling.ts';
import type { Service } from '../strategy.ts';
import { countByType, howMany, reviewedPage } from './reviewed-page.ts';

/** Finds misspelt and repeated words in the English text of a page. */
export const spellCheck: Service = {
  id: 'spell-check',

  async run(task, context) {
    const { words } = await reviewedPage(task, context);
    const { findings, wordsChecked, passedOver } = await proofread(words, sharedSpeller());
    if (passedOver.length > 0) {
      context.log({
        level: 'info',
        message: `${task.url}: there is no dictionary for ${passedOver.join(', ')}; text in that language is passed over.`,
        data: { url: task.url, languages: passedOver },
      });
    }
    return {
      findings,
      data: {
        wordsChecked,
        byType: countByType(findings),
        ...(passedOver.length > 0 && { languagesPassedOver: passedOver }),
      },
      summary: `Checked ${howMany(wordsChecked, 'word')}; ${howMany(findings.length, 'problem')} found.`,
    };
  },
};
