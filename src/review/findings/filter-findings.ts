import type { Outside } from '../../outside/outside.ts';
import type { Finding } from '../../shapes/agents/execution.ts';
import type { TaskContext, TaskResult } from '../core/execute-task.ts';
import { isOn, type Run } from '../core/run-state.ts';
import { usesBrowser } from '../gather/index.ts';
import { completeFindings, guardrails } from './guardrails.ts';
import { needsPin, pinView, resolvePins } from './pin-resolution.ts';

type Context = Pick<TaskContext, 'log' | 'signal' | 'once'>;

/** All that changes the list of findings and nothing else. */
export async function filterFindings(
  run: Run,
  url: string,
  result: TaskResult,
  context: Context,
  deps: { outside: Outside; canOpen: boolean },
): Promise<Finding[]> {
  const stages = run.behavior.postProcess ?? {};
  const byModel = run.behavior.execution?.executionStrategy !== 'service';
  let findings = completeFindings(result.findings, url, byModel);
  if (isOn(stages.guardrails)) findings = guardrails(findings);
  const mayPin =
    deps.canOpen && isOn(stages.pinResolution) && usesBrowser(run.behavior.contextGathering?.strategies);
  if (mayPin && findings.some(needsPin)) {
    findings = await pinned(run, url, findings, context, deps);
  }
  for (const name of stages.customProcessors ?? []) {
    context.once(`custom processor ${name}`, () =>
      context.log({
        level: 'warn',
        message: `There is no custom processor named ${name}; it is passed over.`,
      }),
    );
  }
  return findings;
}

/** Positions are worth having and not worth failing for. */
async function pinned(
  run: Run,
  url: string,
  findings: Finding[],
  { signal, log }: Context,
  { outside }: { outside: Outside },
): Promise<Finding[]> {
  try {
    return await outside.browser.withPage(url, pinView(run.request.deviceType), { signal }, ({ page }) =>
      resolvePins(findings, page),
    );
  } catch (error) {
    signal.throwIfAborted();
    log({
      level: 'warn',
      message: `The places of findings on ${url} are not known: ${(error as Error).message}`,
    });
    return findings;
  }
}
