import type { Fields } from '../json.ts';

const TOKEN = /\{([^{}]{1,200})\}/g;

/**
 * Fills `{name}` and `{name.field}` from `values`; a person is shown by name, email or id. Unknown names remain as they
 * are, and inserted values are not expanded again.
 */
export const fillHeadline = (template: string, values: Fields): string =>
  template.replace(TOKEN, (token, name: string) => {
    const value = name
      .trim()
      .split('.')
      .reduce<unknown>((at, part) => own(at, part), values);
    return written(value) ?? written(nameOf(value)) ?? token;
  });

/** The display name of a person. */
export const nameOf = (person: unknown): string | undefined =>
  ['name', 'email', 'userId']
    .map((field) => own(person, field))
    .find((value): value is string => typeof value === 'string' && value !== '');

const written = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;

const own = (values: unknown, name: string): unknown =>
  typeof values === 'object' && values !== null && Object.hasOwn(values, name)
    ? (values as Fields)[name]
    : undefined;
