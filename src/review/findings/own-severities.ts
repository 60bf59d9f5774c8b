import type { Finding } from '../../shapes/agents/execution.ts';
import type { RunRequest } from '../../shapes/agents/run.ts';

type Request = Pick<RunRequest, 'severities'>;

/** False for issue types that the request turns off: what earlier runs found of them is neither there nor gone. */
export const isReported = ({ severities = {} }: Request, issueType: string): boolean =>
  !Object.hasOwn(severities, issueType) || severities[issueType] !== 'off';

/** The findings with the severities of the request, without those of issue types that it turns off. */
export function withSeverities(findings: readonly Finding[], { severities = {} }: Request): Finding[] {
  return findings.flatMap((finding) => {
    const own = Object.hasOwn(severities, finding.issueType) ? severities[finding.issueType] : undefined;
    if (own === 'off') return [];
    return own === undefined ? finding : { ...finding, severity: own };
  });
}
