import { workOnKnowledge } from '../../src/memory/knowledge/work-on-knowledge.ts';
import { getKnowledgeSource } from '../../src/store/knowledge-sources.ts';
import { type TestWorkspace, testApp } from '../harness.ts';

/** Lets the memory of a tenant know a list of rules, read already; answers the id of the source. */
export async function addKnownFile(workspace: TestWorkspace, mark: string): Promise<string | undefined> {
  const bytes = Buffer.from(`# ${mark}\n\n- Must hold ${mark}.\n- Never lose ${mark}.\n`);
  const file = { base64: bytes.toString('base64'), mimeType: 'text/markdown', fileSize: bytes.length };
  const { body } = await workspace.post('/v2/memory/knowledge/ingest', {
    source: 'inline',
    file: { ...file, fileName: `${mark}.md` },
  });
  const { deps } = await testApp();
  const sourceId = body.result?.sourceId;
  const source = await getKnowledgeSource(deps.db, workspace, sourceId);
  if (!source) return undefined;
  const { workspaceId, apiKeyId } = workspace;
  const ref = { workspaceId, apiKeyId, contentId: source.contentId };
  await workOnKnowledge(ref, deps, new AbortController().signal);
  return sourceId;
}
