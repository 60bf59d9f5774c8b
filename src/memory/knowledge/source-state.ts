import type { KnowledgeSource } from '../../store/knowledge/knowledge-sources.ts';

/** The state of a source, as every operation returns it. */
export function sourceState({
  mimeType,
  dedupOf,
  status,
  failureReason,
  failureMessage,
  notes,
  version,
}: KnowledgeSource) {
  const metadata = {
    ...(notes.length > 0 && { notes }),
    ...(failureMessage !== null && { message: failureMessage }),
    ...(version > 1 && { version }),
  };
  return {
    mimeType,
    ...(dedupOf !== null && { dedupOf }),
    ...(status === 'failed' && failureReason !== null && { failureReason }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  };
}
