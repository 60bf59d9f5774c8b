import { ingestKnowledge } from '../../src/memory/knowledge/ingest-knowledge.ts';
import { getKnowledgeSource } from '../../src/store/knowledge/knowledge-sources.ts';
import { type TestWorkspace, testApp } from '../service/harness.ts';

/** Uploads a list of rules to the memory of a tenant and processes it; returns the id of the source. */
export async function addKnownFile(workspace: TestWorkspace, mark: string): Promise<string> {
  const bytes = Buffer.from(`# ${mark}\n\n- Must hold ${mark}.\n- Never lose ${mark}.\n`);
  const file = { base64: bytes.toString('base64'), mimeType: 'text/markdown', fileSize: bytes.length };
  const { body } = await workspace.post('/v2/memory/knowledge/ingest', {
    source: 'inline',
    file: { ...file, fileName: `${mark}.md` },
  });
  const sourceId = body.result?.sourceId;
  await readKnowledge(workspace, sourceId);
  return sourceId;
}

/** Processes an uploaded file immediately, which the service does in the background. */
export async function readKnowledge(workspace: TestWorkspace, sourceId: string): Promise<void> {
  const { deps } = await testApp();
  const source = await getKnowledgeSource(deps.db, workspace, sourceId);
  if (!source) throw new Error(`There is no knowledge source ${sourceId}.`);
  const { workspaceId, apiKeyId } = workspace;
  const ref = { workspaceId, apiKeyId, contentId: source.contentId };
  await ingestKnowledge(ref, deps, new AbortController().signal);
}
