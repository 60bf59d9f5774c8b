import { MAX_WARNINGS } from '../request/unknown-fields.ts';
import type { NamedSchemas, Schema } from './named-schemas.ts';

export const warningSchema: Schema = {
  type: 'object',
  required: ['path', 'code', 'message'],
  properties: {
    path: {
      type: 'array',
      items: { type: ['string', 'integer'] },
      description: 'Path of the field, relative to `data` as in `error.details.issues`.',
    },
    code: {
      type: 'string',
      enum: ['unknown_field', 'beside_data', 'no_effect'],
      description:
        '`beside_data`: the field is next to `data`, not in it. `no_effect`: the field is accepted, but not used in this request.',
    },
    message: { type: 'string' },
    suggestion: {
      type: 'string',
      description: 'The field that was probably meant, such as `data.users[].name`.',
    },
  },
};

export const strictParameter: Schema = {
  name: 'x-redpen-strict',
  in: 'header',
  description:
    '`1` or `true`: unknown fields in the request are INVALID_ARGUMENT. `0` or `false`: they are ignored and reported as `warnings`. Takes precedence over the setting REDPEN_UNKNOWN_FIELDS, which is `warn` by default.',
  schema: { type: 'string', enum: ['1', 'true', '0', 'false'] },
};

/** Fields of a result that report unknown and ignored fields of the request. */
export const warningFields: Record<string, Schema> = {
  warnings: {
    type: 'array',
    minItems: 1,
    maxItems: MAX_WARNINGS,
    items: { $ref: '#/components/schemas/Warning' },
    description: 'Fields of the request that the operation does not read or use. Absent if there are none.',
  },
  warningsOmitted: {
    type: 'integer',
    minimum: 1,
    description: 'Number of further warnings. Absent if there are none.',
  },
};

const membersOf = ({ anyOf, oneOf }: Schema): Schema[] | undefined =>
  (anyOf ?? oneOf) as Schema[] | undefined;

/** The warnings as a part of results that have schemas of their own. */
export const warningsSchema: Schema = { type: 'object', properties: warningFields };

/** The schema of a result without an envelope, with the warnings in its objects. */
export function withWarnings(schema: Schema, schemas: NamedSchemas): Schema {
  const here = schemas.resolve(schema);
  const keyword = here.anyOf ? 'anyOf' : 'oneOf';
  const members = membersOf(here);
  if (members) return { ...here, [keyword]: members.map((member) => withWarnings(member, schemas)) };
  if (here.type !== 'object') return schema;
  if (schema.$ref !== undefined) return { allOf: [schema, { $ref: '#/components/schemas/Warnings' }] };
  return { ...here, properties: { ...(here.properties as Schema | undefined), ...warningFields } };
}

/** The warnings next to a result that may have no room for them, such as a list. */
export function besideResult(schema: Schema, schemas: NamedSchemas): Schema {
  const here = schemas.resolve(schema);
  const isObject = (member: Schema) => schemas.resolve(member).type === 'object';
  return (membersOf(here) ?? [here]).every(isObject) ? {} : warningFields;
}
