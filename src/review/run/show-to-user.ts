import type { z } from 'zod';
import type { cause, Finding } from '../../shapes/agents/execution.ts';
import type { artifact, execution, pageResult } from '../../shapes/agents/execution-record.ts';
import type { ArtifactLink } from './artifact-links.ts';

type Execution = z.input<typeof execution>;
type Page = z.input<typeof pageResult>;
type Cause = z.input<typeof cause>;
type Artifact = z.input<typeof artifact>;

/** The lines of a run's log that users get. Others name models, tools and addresses that the backend configured. */
export const KINDS_FOR_USERS = ['phase', 'page', 'result'] as const;

/*
 * A user who may read the document of a run sees what was found on it. What the agent gathered and returned is for the
 * backend alone, and so is what findings were compared with and are based on: judgments and knowledge may come from
 * documents that the user cannot read, and the person behind a decision is shown with its annotation, if at all.
 */

export function forUser({ response, crawlerResults, causes, ...shown }: Execution): Execution {
  return {
    ...shown,
    workflowExecutionId: null,
    ...(causes && { causes: causes.map(causeForUser) }),
  };
}

export function causeForUser({ decidedBy, reason, ...shown }: Cause): Cause {
  return shown;
}

export const findingForUser =
  (link: ArtifactLink) =>
  ({ groundedBy, precedent, knowledgeSection, decidedBy, reason, ...shown }: Finding): Finding => ({
    ...shown,
    ...(shown.artifactId !== undefined && { artifactUrl: link(shown.artifactId) }),
  });

export const pageForUser =
  (link: ArtifactLink) =>
  ({ data, heldBack, screenshot, findings, ...shown }: Page): Page => ({
    ...shown,
    findings: (findings as Finding[]).map(findingForUser(link)),
    ...(screenshot && {
      screenshot: {
        ...screenshot,
        tiles: screenshot.tiles.map((tile) => ({ ...tile, url: link(tile.artifactId) })),
      },
    }),
  });

export const artifactsForUser = (artifacts: Artifact[], link: ArtifactLink): Artifact[] =>
  artifacts.map((one) => ({ ...one, url: link(one.artifactId) }));
