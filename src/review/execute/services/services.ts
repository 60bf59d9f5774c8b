import type { Service } from '../strategy.ts';
import { accessibilityChecker } from './accessibility-checker.ts';
import { brokenLinks } from './broken-links.ts';
import { crawler } from './crawler.ts';
import { lighthouse } from './lighthouse.ts';
import { loremIpsum } from './lorem-ipsum.ts';
import { ogImageChecker } from './og-image-checker.ts';
import { piiDetection } from './pii-detection.ts';
import { profanityFilter } from './profanity-filter.ts';
import { screenshot } from './screenshot.ts';
import { sensitiveData } from './sensitive-data.ts';
import { spellCheck } from './spell-check.ts';

/** Those that an agent of a customer may name stand in `agent-shape/execution.ts`; the built-in agents have all. */
export const services: readonly Service[] = [
  ...[brokenLinks, crawler, screenshot, accessibilityChecker, ogImageChecker],
  ...[spellCheck, loremIpsum, piiDetection, sensitiveData, profanityFilter, lighthouse],
];
