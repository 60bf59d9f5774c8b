import type { z } from 'zod';
import type { GatherStrategy } from '../core/gather-task.ts';
import { computedStyles } from './computed-styles.ts';
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

/** In the order of their turns at a page: what only reads comes before what scrolls or navigates. */
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

/** What validates `strategyOptions[name]`, for each name that `contextGathering.strategies` may hold but `none`. */
export const gatherOptions: ReadonlyMap<string, z.ZodType> = new Map(
  gatherStrategies.map((strategy): [string, z.ZodType] => [strategy.name, strategy.options]),
);

/** Every name that `contextGathering.strategies` may hold. */
export const gatherNames: readonly string[] = [...gatherOptions.keys(), 'none'];
