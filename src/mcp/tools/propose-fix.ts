import { z } from 'zod';
import type {
  Annotation,
  CommentannotationsAddRequest,
  FindingRecord,
} from '../../../packages/client/src/operations.ts';
import { shownLine } from '../text/data-block.ts';
import { Refusal } from '../text/refusal.ts';
import { findingId, threadOf } from './get-finding.ts';
import { ADDS, tool } from './tool.ts';

type NewAnnotation = CommentannotationsAddRequest['commentAnnotations'][number];

/** Fields of an annotation that say where it is. */
const PLACE = [
  'pageInfo',
  'targetElement',
  'location',
  'isPageAnnotation',
  'positionX',
  'positionY',
  'screenWidth',
  'screenHeight',
  'screenScrollHeight',
] as const;

const placeOf = (thread: Annotation | undefined, { pageUrl }: FindingRecord): Partial<NewAnnotation> =>
  thread
    ? (Object.fromEntries(
        PLACE.flatMap((field) => (thread[field] === undefined ? [] : [[field, thread[field]]])),
      ) as Partial<NewAnnotation>)
    : { pageInfo: { url: pageUrl }, isPageAnnotation: true };

export const proposeFix = tool({
  name: 'propose_fix',
  title: 'Propose a fix',
  description:
    'Puts a fix for a finding on its document as a suggestion that a person accepts or rejects: old and new text, or a patch. Changes nothing by itself.',
  input: z
    .strictObject({
      findingId,
      summary: z.string().trim().min(1).max(1_000),
      oldText: z.string().max(5_000).optional(),
      newText: z.string().max(5_000).optional(),
      patch: z.string().min(1).max(10_000).optional().describe('Unified diff.'),
    })
    .refine(({ newText, patch }) => newText !== undefined || patch !== undefined, {
      path: ['newText'],
      error: 'or patch is required',
    }),
  annotations: ADDS,
  async run({ findingId, summary, oldText, newText, patch }, { service }) {
    const { finding } = await service.call('/v2/agents/findings/get', { findingId });
    const { organizationId, documentId } = finding;
    if (organizationId === undefined || documentId === undefined) {
      throw new Refusal(
        'The finding is on no document, where a person could accept a fix. Mend the source yourself, or review the page with organizationId and documentId first.',
      );
    }
    const thread = await threadOf(service, finding);
    const text = patch === undefined ? summary : `${summary}\n\n${patch}`;
    const added = await service.call('/v2/commentannotations/add', {
      organizationId,
      documentId,
      commentAnnotations: [
        {
          ...placeOf(thread, finding),
          type: 'suggestion',
          suggestion: {
            summary,
            oldValue: oldText ?? finding.targetText,
            ...(newText !== undefined && { newValue: newText }),
            ...(patch !== undefined && { patch }),
          },
          context: { findingId },
          commentData: [{ commentText: text, ...(service.author && { from: service.author }) }],
        },
      ],
    });
    const [annotationId] = idsOf(added);
    return {
      text: `The proposal is on ${shownLine(`${organizationId}/${documentId}`)} as suggestion ${annotationId}, for a person to accept or reject.`,
      structured: { findingId, organizationId, documentId, annotationId },
    };
  },
});

/** The ids of the annotations that an answer of commentannotations/add names. */
const idsOf = (added: Record<string, { annotationId?: string; id?: string }>): string[] =>
  Object.entries(added).map(([key, { annotationId, id }]) => annotationId ?? id ?? key);
