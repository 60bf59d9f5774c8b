import type { Tx } from '../../db/tables.ts';
import { invalidRequest } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import { BUILTIN_VERSION } from '../../shapes/agents/builtin-agents.ts';
import { setBuiltinEnabled, updateAgent } from '../../store/agents/agents.ts';
import { findBuiltin } from './builtin/index.ts';

interface Change {
  name?: string | undefined;
  description?: string | undefined;
  enabled?: boolean | undefined;
}

/** Changes what does not belong to a version; of a built-in agent that is only whether this API key uses it. */
export async function changeAgent(tx: Tx, scope: Scope, agentId: string, change: Change): Promise<void> {
  const builtin = findBuiltin(agentId);
  if (!builtin) return await updateAgent(tx, scope, agentId, change);
  const fixed = (['name', 'description'] as const).filter((key) => change[key] !== undefined);
  if (fixed.length > 0 || change.enabled === undefined) {
    throw invalidRequest(
      fixed.map((key) => ({
        path: [key],
        code: 'custom',
        message: `${key} of a built-in agent cannot be changed.`,
      })),
    );
  }
  await setBuiltinEnabled(
    tx,
    scope,
    { agentId, name: builtin.name, version: BUILTIN_VERSION },
    change.enabled,
  );
}
