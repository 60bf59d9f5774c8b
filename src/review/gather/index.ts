import type { z } from 'zod';
import { computedStyles } from './computed-styles.ts';
import type { GatherStrategy, StrategyChoice } from './gather-strategy.ts';
import { lighthouse } from './lighthouse.ts';
import { restApi } from './rest-api.ts';
import { robotsTxt } from './robots-txt.ts';
import { sitemapData } from './sitemap-data.ts';
import { webPageAccessibility } from './web-page-accessibility.ts';
import { webPageCss } from './web-page-css.ts';
import { webPageHtml } from './web-page-html.ts';
import { webPageLinks } from './web-page-links.ts';
import { webPageScreenshot } from './web-page-screenshot.ts';
import { webPageText } from './web-page-text.ts';

/** In the order of their turns at a page: strategies that only read come before those that scroll or navigate. */
export const gatherStrategies: readonly GatherStrategy[] = [
  robotsTxt,
  sitemapData,
  restApi,
  lighthouse,
  webPageText,
  webPageHtml,
  webPageCss,
  webPageLinks,
  webPageAccessibility,
  computedStyles,
  webPageScreenshot,
];

/** Schema of `strategyOptions[name]` for each strategy. */
export const gatherOptions: ReadonlyMap<string, z.ZodType> = new Map(
  gatherStrategies.map((strategy): [string, z.ZodType] => [strategy.name, strategy.options]),
);

/** Every name that `contextGathering.strategies` may hold. */
export const gatherNames: readonly string[] = [...gatherOptions.keys(), 'none'];

/** Strategies that cannot run without options, because some of theirs have no default. */
export const strategiesThatNeedOptions: readonly string[] = gatherStrategies
  .filter(({ options }) => !options.safeParse({}).success)
  .map(({ name }) => name);

type ChoosableStrategy = GatherStrategy & { choice: StrategyChoice };

/** Strategies that the authoring tools choose from, by rank. */
export const choosableStrategies: readonly ChoosableStrategy[] = gatherStrategies
  .filter((strategy): strategy is ChoosableStrategy => strategy.choice !== undefined)
  .sort((one, other) => one.choice.rank - other.choice.rank);

/** True if one of the strategies opens pages in a browser. */
export const usesBrowser = (names: readonly string[] = []): boolean =>
  gatherStrategies.some(
    (strategy) => names.includes(strategy.name) && (strategy.kind === 'page' || strategy.needsBrowser),
  );
