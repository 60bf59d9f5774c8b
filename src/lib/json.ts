/** A JSON object with arbitrary keys, such as metadata of a caller. */
export type Fields = Record<string, unknown>;

/** True for a JSON object, false for an array. */
export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value if it is an object, otherwise an empty object. */
export const asObject = (value: unknown): Fields => (isObject(value) ? value : {});

/** The value if it is an array, otherwise an empty array. */
export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
