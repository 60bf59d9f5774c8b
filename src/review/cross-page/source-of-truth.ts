import { cutText } from '../../lib/text/cut-text.ts';
import type { DataBlock } from '../../outside/models/data-blocks.ts';
import { getKnowledgeSource, knowledgeText } from '../../store/knowledge/knowledge-sources.ts';
import type { PageContext } from '../core/execution-strategy.ts';
import type { RunLease } from '../core/run-lease.ts';
import type { Run } from '../core/run-state.ts';
import { findInjections } from '../injection/find-injections.ts';

export const TRUTH_BLOCK = 'source of truth';

const MAX_CHARS = 100_000;

/**
 * Data block with the uploaded knowledge that all pages should agree with. Returns undefined if it cannot be used; the
 * log then has the reason, and the pages are compared with each other alone.
 */
export async function sourceOfTruth(
  { scope, row, behavior }: Run,
  { db }: RunLease,
  { log }: Pick<PageContext, 'log'>,
): Promise<DataBlock | undefined> {
  const sourceId = behavior.scope?.crossPage?.sourceOfTruthKnowledgeSourceId;
  if (!sourceId) return undefined;
  const without = (reason: string) => {
    log({
      level: 'warn',
      message: `The pages are compared with each other alone, since the source of truth ${sourceId} ${reason}.`,
      data: { sourceId },
    });
    return undefined;
  };
  const source = await getKnowledgeSource(db, scope, sourceId);
  if (!source) return without('is not there');
  const differs = (own: string, ofRun: string) => own !== '' && ofRun !== '' && own !== ofRun;
  if (differs(source.organizationId, row.organizationId) || differs(source.documentId, row.documentId))
    return without('belongs to another organization or document');
  const text = await knowledgeText(db, scope, sourceId);
  if (text === undefined || text.trim() === '') return without('has no text, or none yet');
  const [injection] = findInjections(text, TRUTH_BLOCK);
  if (injection) return without(`tries to instruct its reader: ${injection.reading}`);
  const kept = cutText(text, MAX_CHARS);
  if (kept.length < text.length)
    log({
      level: 'warn',
      message: `The source of truth ${sourceId} is long; its first ${kept.length} characters are read.`,
      data: { sourceId },
    });
  return { name: TRUTH_BLOCK, parts: [{ text: `File: ${source.fileName}\n${kept}` }] };
}
