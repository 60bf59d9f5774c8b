import { useEffect, useRef, useState } from 'react';
import { useKeyMutation } from '../../../data/use-key-query.ts';
import { AGENTS, isOwn, type OwnAgent } from '../agents-data.ts';
import { changesBetween, draftOf, isSame } from '../editor/agent-draft.ts';
import type { Fields } from '../editor/json-path.ts';
import { problemsOf } from '../editor/problems.ts';
import { type Draft, useDraft } from '../editor/use-draft.ts';

export interface AgentEditing {
  draft: Draft;
  isDirty: boolean;
  /** The version that was saved elsewhere since the changes began. */
  newerVersion: number | undefined;
  isSaving: boolean;
  failure: unknown;
  /** Saves what has changed. Throws if the service refuses it; what was typed stays. */
  save(): Promise<void>;
  discard(): void;
}

/** The draft of an agent: what is edited until it is saved as a version. */
export function useAgentDraft(agent: OwnAgent): AgentEditing {
  const [base, setBase] = useState(agent);
  const draft = useDraft(draftOf(base));
  const before = draftOf(base);
  const isDirty = draft.textProblem !== undefined || !isSame(before, draft.value);
  const { restart } = draft;
  const latest = useRef(draft.text);
  latest.current = draft.text;
  const begin = (next: OwnAgent): void => {
    setBase(next);
    restart(draftOf(next));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft follows the agent, not the other way round.
  useEffect(() => {
    if (!isDirty && agent !== base) begin(agent);
  }, [agent, isDirty]);

  const saving = useKeyMutation(
    async (redpen, after: Fields) => {
      const agentId = agent.id;
      const { identity, behavior } = changesBetween(before, after);
      if (behavior) await redpen.agentVersions.create({ agentId, ...behavior });
      if (identity) await redpen.agents.update({ agentId, ...identity });
      return (await redpen.agents.get({ agentId })).agent;
    },
    { renews: [AGENTS] },
  );
  return {
    draft,
    isDirty,
    newerVersion: isDirty && agent.version > base.version ? agent.version : undefined,
    isSaving: saving.isPending,
    failure: saving.error,
    async save() {
      if (draft.textProblem !== undefined) throw new Error(draft.textProblem);
      try {
        const { text } = draft;
        const saved = await saving.mutateAsync(draft.value);
        if (!isOwn(saved)) return;
        // What was typed meanwhile stays, as the next change.
        if (latest.current === text) begin(saved);
        else setBase(saved);
      } catch (error) {
        draft.refuse(problemsOf(error));
        throw error;
      }
    },
    discard() {
      saving.reset();
      begin(agent);
    },
  };
}
