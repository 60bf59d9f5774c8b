import type { AnnotationStrategy } from '../../shapes/agents/agent-behavior.ts';
import { followsLinks, isEnabled, type Run } from '../core/run-state.ts';

/** The strategy of a run's annotations. Built-in agents that review a site write one suggestion for each cause. */
export function annotationStrategyOf(
  run: Pick<Run, 'agentType' | 'behavior' | 'request'>,
): AnnotationStrategy {
  const stage = run.behavior.postProcess?.annotations;
  if (!isEnabled(stage)) return 'none';
  return stage?.strategy ?? (run.agentType === 'built-in' && followsLinks(run) ? 'causes' : 'findings');
}
