import type { DraftFinding } from '../../../shapes/agents/execution.ts';
import type { Checker } from '../link-checker.ts';
import type { PageLinks } from '../page/page-links.ts';
import type { WorkingLink } from '../review-links.ts';
import { contactFindings } from './contacts.ts';
import { headFindings } from './head-findings.ts';
import { redirectFindings } from './redirects.ts';
import type { Soft404 } from './soft-404.ts';

export interface AdviceInput {
  page: PageLinks;
  working: readonly WorkingLink[];
  checker: Checker;
  soft404: Soft404;
  signal: AbortSignal;
  /** False for an address that is not to be requested. */
  isWanted(url: string): boolean;
}

/** Findings of the rules beside broken addresses: what works for readers, but not as its author meant. */
export async function adviceOn({
  page,
  working,
  checker,
  soft404,
  signal,
  isWanted,
}: AdviceInput): Promise<DraftFinding[]> {
  const missing = await soft404.findings(working, page.finalUrl, signal);
  const absent = new Set(missing.map(({ url }) => url));
  return [
    ...missing,
    ...contactFindings(page),
    ...redirectFindings(working.filter(({ link }) => !absent.has(link.url))),
    ...(await headFindings(page, { checker, signal, isWanted })),
  ];
}
