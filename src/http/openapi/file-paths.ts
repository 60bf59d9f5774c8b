import { type FileRoute, type QueryChoice, UPLOADED } from '../file-route.ts';
import { CREDENTIALS } from './security-schemes.ts';

type Schema = Record<string, unknown>;
type Described = { operationId: string; tags: string[] };

const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const inQuery = ['key', 'purpose', 'expires', 'signature'].map((name) => ({
  name,
  in: 'query',
  required: true,
  description: 'As contained in the link.',
  schema: { type: 'string' },
}));
const bytes = { description: 'The content of the file, with its own content type.', content: { '*/*': {} } };

const NO_LINK = '`PERMISSION_DENIED`: The link was changed or has expired.';

const WRONG_CHOICE = '`INVALID_ARGUMENT`: The query names no known choice.';

/** The parameter of a choice in the query. */
const choiceOf = ({ choice }: { choice?: QueryChoice }): Schema[] =>
  choice
    ? [
        {
          name: choice.name,
          in: 'query',
          required: false,
          description: choice.description,
          schema: { type: 'string', enum: choice.values },
        },
      ]
    : [];

/** The OpenAPI path item of a route that sends or receives raw bytes. */
export function describeFile(
  file: FileRoute,
  described: Described,
  failure: (description: string, auth?: 'apiKey') => Schema,
): Schema {
  if (file.by === 'apiKey') {
    return {
      get: {
        ...described,
        summary: file.summary,
        description: file.description,
        'x-redpen-credentials': CREDENTIALS.apiKey,
        security: [{ apiKey: [], authToken: [] }],
        parameters: [id, ...choiceOf(file)],
        responses: {
          '200': bytes,
          ...(file.choice && { '400': failure(WRONG_CHOICE) }),
          '401': failure('`UNAUTHENTICATED`: The credentials are missing or wrong.', 'apiKey'),
          '404': failure('`NOT_FOUND`: The file does not exist for this API key.'),
        },
      },
    };
  }
  const { summary, description } = file;
  const general = {
    ...described,
    summary,
    description,
    'x-redpen-credentials': CREDENTIALS.public,
    security: [],
    parameters: [id, ...inQuery],
  };
  if (file.by === 'download link') {
    return {
      get: {
        ...general,
        parameters: [...general.parameters, ...choiceOf(file)],
        responses: {
          ...(file.choice && { '400': failure(WRONG_CHOICE) }),
          '200': bytes,
          '403': failure(NO_LINK),
          '404': failure('`NOT_FOUND`: The file no longer exists.'),
        },
      },
    };
  }
  return {
    put: {
      ...general,
      requestBody: { required: true, content: { '*/*': { schema: { type: 'string', format: 'binary' } } } },
      responses: {
        '200': {
          description: UPLOADED,
          content: {
            'application/json': {
              schema: {
                type: 'object',
                required: ['result'],
                properties: {
                  result: {
                    type: 'object',
                    required: ['status', 'message'],
                    properties: {
                      status: { type: 'string', const: 'success' },
                      message: { type: 'string', const: UPLOADED },
                    },
                  },
                },
              },
              example: { result: { status: 'success', message: UPLOADED } },
            },
          },
        },
        '400': failure(
          '`INVALID_ARGUMENT`: The file does not match the announced type or size.\n\n`FAILED_PRECONDITION`: A file was already uploaded with this link.',
        ),
        '403': failure(NO_LINK),
        '413': failure('`INVALID_ARGUMENT`: The request body is too large.'),
      },
    },
  };
}
