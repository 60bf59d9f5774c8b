import { asObject } from '../../lib/json.ts';
import { plural } from '../../lib/text/plural.ts';
import { spellCheckOptions } from '../../shapes/agents/service-options.ts';
import type { PageContext, PageTask } from '../core/execution-strategy.ts';
import { nameLanguages } from '../rules/spelling/languages.ts';
import { readSiteWords } from '../rules/spelling/site-words.ts';
import { sharedSpeller } from '../rules/spelling/speller.ts';
import { proofread } from '../rules/spelling/spelling.ts';
import { spellingRules } from '../rules/spelling/spelling-rules.ts';
import { countByType, loadReviewedPage, READ_BY_RULES } from './load-reviewed-page.ts';
import type { Service } from './review-service.ts';

/** A page of which a greater share is in languages without a dictionary counts as skipped. */
const MAX_PASSED_OVER = 0.2;
/** Fewer words are names in a menu or a footer. */
const MIN_NAMED = 5;

/** Finds misspelled and repeated words in the text of a page, in each language that has a dictionary. */
export const spellCheck: Service = {
  id: 'spell-check',
  isPublic: false,
  needsSiteWords: true,
  reads: READ_BY_RULES,
  isQuick: true,
  rules: { category: 'spelling', table: spellingRules },

  async run(task, context) {
    const { words } = await loadReviewedPage(task, context);
    const options = await optionsOf(task, context);
    const { findings, wordsChecked, languages, passedOver } = await proofread(
      words,
      sharedSpeller(),
      options,
    );
    const missing = [...passedOver].sort(([, one], [, other]) => other - one);
    const wordsPassedOver = missing.reduce((sum, [, count]) => sum + count, 0);
    const named = missing.filter(([, count]) => count >= MIN_NAMED || wordsChecked === 0).map(([tag]) => tag);
    const data = {
      wordsChecked,
      languages,
      byType: countByType(findings),
      ...(named.length > 0 && { languagesPassedOver: named, wordsPassedOver }),
    };
    const summary = `Checked ${plural(wordsChecked, 'word')}; ${plural(findings.length, 'problem')} found.`;
    if (named.length === 0) return { findings, data, summary };
    const isSkipped = wordsPassedOver > MAX_PASSED_OVER * (wordsChecked + wordsPassedOver);
    const tags = nameLanguages(named);
    if (isSkipped && findings.length === 0) {
      const skipped = `The text is in ${tags}, for which there is no dictionary.`;
      return { findings, data, summary: skipped, skipped };
    }
    const note = `Text in ${tags} was passed over, since there is no dictionary for it.`;
    context.log({
      level: 'warn',
      message: `${task.url}: ${note}`,
      data: { url: task.url, languages: named },
    });
    return { findings, data, summary: `${summary} ${note}` };
  },
};

/** The words that are right by decision, and those of the site. */
async function optionsOf({ execution }: PageTask, context: PageContext) {
  const saved = await context.savedWords();
  const own = spellCheckOptions.parse(asObject(execution.strategyOptions)['spell-check'] ?? {});
  return {
    siteWords: context.once('site-words', () => readSiteWords(saved.site)),
    ownWords: [...saved.own, ...(own.words ?? [])],
  };
}
