import { z } from 'zod';
import { call } from '../../../http/endpoint.ts';
import { notFound } from '../../../lib/errors.ts';
import { pictureOf } from '../../../review/findings/picture/finding-picture.ts';
import { findingId, findingPicture } from '../../../shapes/agents/finding-record.ts';
import { getFindingRecords } from '../../../store/agents/finding-records.ts';

export default call({
  path: '/v2/agents/findings/picture',
  auth: 'apiKey',
  role: 'viewer',
  availableWhenFull: true,
  changesNothing: true,
  isHeavy: true,
  summary: 'Get a small picture of the place of a finding on its page.',
  description:
    'The picture is cut out of the screenshot of the last run that saw the finding: its element with what is around it, in WebP of at most 1,024 × 1,024 pixels and 150,000 bytes, so that an AI assistant can look at it. A large element is scaled down, and one of more than 1,952 CSS pixels is shown from its top left. For a finding without a place in the screenshot, it shows the top of the page. agents/findings/get returns the whole screenshot.',
  data: z
    .strictObject({
      findingId,
      outline: z.boolean().default(true).describe('True to draw a red outline around the element.'),
    })
    .meta({ examples: [{ findingId: 'fnd_1a2B3cD4eF5gH6iJ7kL8', outline: true }] }),
  result: z.object({ picture: findingPicture }),
  message: 'Picture created successfully.',
  failures: {
    NOT_FOUND: 'The finding does not exist.',
    FAILED_PRECONDITION:
      'The last run that saw the finding kept no screenshot of its page, or the screenshot was deleted or is damaged.',
    UNAVAILABLE: 'Too many pictures are being made at the moment, or the service cannot make any.',
  },

  async handle({ findingId, outline }, { caller, db, outside: { blobs }, releaseTurn }) {
    const [row] = await getFindingRecords(db, caller.apiKeyId, [findingId]);
    if (!row) throw notFound(`Finding not found: ${findingId}`);
    // Pictures wait for each other: the turn is for those who work.
    releaseTurn();
    return { picture: await pictureOf({ db, blobs }, row, { outline }) };
  },
});
