import type { Service } from '../strategy.ts';
import { brokenLinks } from './broken-links.ts';
import { crawler } from './crawler.ts';
import { screenshot } from './screenshot.ts';

export const services: readonly Service[] = [brokenLinks, crawler, screenshot];
