import { describeAgent, type ProgressView } from './review-states.ts';

interface Terminal {
  write(text: string): unknown;
  isTTY?: boolean;
}

const silentView: ProgressView = { begin() {}, update() {}, async end() {} };

/** On a terminal, lines that change; elsewhere, a line whenever an agent has done more pages. */
export async function openProgress(stream: NodeJS.WriteStream, isQuiet: boolean): Promise<ProgressView> {
  if (isQuiet) return silentView;
  if (!stream.isTTY) return plainView(stream);
  const { terminalView } = await import('./terminal-progress.ts');
  return terminalView(stream);
}

/** Lines without escape codes, for logs. */
export function plainView(stream: Terminal): ProgressView {
  const written = new Map<string, string | number>();
  return {
    begin: (what) => void stream.write(`${what}\n`),
    update(agents) {
      for (const agent of agents) {
        const { processed, planned, outcome } = agent;
        // The last page is announced with the end, and nothing before the first one.
        if (outcome === undefined && (processed === 0 || processed >= planned)) continue;
        const key = outcome ?? processed;
        if (written.get(agent.agentId) === key) continue;
        written.set(agent.agentId, key);
        stream.write(`${agent.name}: ${describeAgent(agent)}\n`);
      }
    },
    async end() {},
  };
}
