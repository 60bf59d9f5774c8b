import type { Service } from '../../core/execute-task.ts';
import { accessibilityChecker } from './accessibility-service.ts';
import { brokenLinks } from './broken-links-service.ts';
import { crawler } from './crawler-service.ts';
import { lighthouse } from './lighthouse-service.ts';
import { loremIpsum } from './lorem-ipsum-service.ts';
import { ogImageChecker } from './og-image-service.ts';
import { piiDetection } from './pii-service.ts';
import { profanityFilter } from './profanity-service.ts';
import { screenshot } from './screenshot-service.ts';
import { sensitiveData } from './sensitive-data-service.ts';
import { spellCheck } from './spelling-service.ts';

/** Those that an agent of a customer may name stand in `agent-shape/execution.ts`; the built-in agents have all. */
export const services: readonly Service[] = [
  ...[brokenLinks, crawler, screenshot, accessibilityChecker, ogImageChecker],
  ...[spellCheck, loremIpsum, piiDetection, sensitiveData, profanityFilter, lighthouse],
];
