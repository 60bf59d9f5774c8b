import type { Fields } from '../json.ts';

const TOKEN = /\{\{([^{}]*)\}\}/g;

export interface Filled {
  text: string;
  /** Distinct names without a value, which are replaced by nothing. */
  missing: string[];
}

/**
 * Fills `{{name}}` from `values`: the value of that name, the property of a dotted name (`variables.X`,
 * `userContext.X`), or the variable of that name. Inserted values are not expanded again.
 */
export function fillTemplate(text: string, values: Fields): Filled {
  const missing = new Set<string>();
  const filled = text.replace(TOKEN, (_, token: string) => {
    const name = token.trim();
    const value = lookUp(values, name) ?? lookUp(own(values, 'variables'), name);
    if (value === undefined || value === null) {
      missing.add(name);
      return '';
    }
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  });
  return { text: filled, missing: [...missing] };
}

/** The distinct placeholders of a text, in order. */
export function placeholders(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(TOKEN), (match) => match[1]!.trim()))];
}

function lookUp(values: unknown, name: string): unknown {
  const direct = own(values, name);
  if (direct !== undefined) return direct;
  const dot = name.indexOf('.');
  return dot < 0 ? undefined : lookUp(own(values, name.slice(0, dot)), name.slice(dot + 1));
}

const own = (values: unknown, name: string): unknown =>
  typeof values === 'object' && values !== null && Object.hasOwn(values, name)
    ? (values as Fields)[name]
    : undefined;
