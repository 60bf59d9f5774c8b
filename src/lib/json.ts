/** A JSON object whose keys are not known here, such as metadata of a caller. */
export type Fields = Record<string, unknown>;

/** True for a JSON object; arrays are none. */
export const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value of unknown shape as an object; anything that is none becomes an empty one. */
export const asObject = (value: unknown): Fields => (isObject(value) ? value : {});

/** A value of unknown shape as a list; anything that is none becomes an empty one. */
export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
