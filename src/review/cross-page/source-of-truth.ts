import { cutText } from '../../lib/text/cut-text.ts';
import type { DataBlock } from '../../outside/models/data-blocks.ts';
import { getKnowledgeSource, knowledgeText } from '../../store/knowledge/knowledge-sources.ts';
import type { TaskContext } from '../core/execute-task.ts';
import type { Held, Run } from '../core/run-state.ts';
import { findInjections } from '../injection/find-injections.ts';

export const TRUTH_BLOCK = 'source of truth';

const MAX_CHARS = 100_000;

/**
 * The uploaded knowledge that an agent wants its pages to agree with. Where it cannot be had the log says why, and the
 * pages are compared with each other alone.
 */
export async function sourceOfTruth(
  { scope, row, behavior }: Run,
  { db }: Held,
  { log }: Pick<TaskContext, 'log'>,
): Promise<DataBlock | undefined> {
  const sourceId = behavior.scope?.crossPage?.sourceOfTruthKnowledgeSourceId;
  if (!sourceId) return undefined;
  const without = (why: string) => {
    log({
      level: 'warn',
      message: `The pages are compared with each other alone, since the source of truth ${sourceId} ${why}.`,
      data: { sourceId },
    });
    return undefined;
  };
  const source = await getKnowledgeSource(db, scope, sourceId);
  if (!source) return without('is not there');
  const isOthers = (own: string, ofRun: string) => own !== '' && ofRun !== '' && own !== ofRun;
  if (isOthers(source.organizationId, row.organizationId) || isOthers(source.documentId, row.documentId))
    return without('belongs to another organization or document');
  const text = await knowledgeText(db, scope, sourceId);
  if (text === undefined || text.trim() === '') return without('has no text, or none yet');
  const [order] = findInjections(text, TRUTH_BLOCK);
  if (order) return without(`tries to instruct its reader: ${order.reading}`);
  const kept = cutText(text, MAX_CHARS);
  if (kept.length < text.length)
    log({
      level: 'warn',
      message: `The source of truth ${sourceId} is long; its first ${kept.length} characters are read.`,
      data: { sourceId },
    });
  return { name: TRUTH_BLOCK, parts: [{ text: `File: ${source.fileName}\n${kept}` }] };
}
