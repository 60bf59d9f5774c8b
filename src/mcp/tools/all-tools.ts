import { decide } from './decide.ts';
import { getFinding } from './get-finding.ts';
import { listFindings } from './list-findings.ts';
import { overview } from './overview.ts';
import { proposeFix } from './propose-fix.ts';
import { reply } from './reply.ts';
import { getReview, reviewPage } from './reviews.ts';
import { searchMemory } from './search-memory.ts';
import type { Tool } from './tool.ts';

/** All tools, in the order of the work. */
export const tools: readonly Tool[] = [
  overview,
  listFindings,
  getFinding,
  reviewPage,
  getReview,
  reply,
  proposeFix,
  decide,
  searchMemory,
];

export const readingTools: readonly Tool[] = tools.filter(({ annotations }) => annotations.readOnlyHint);
