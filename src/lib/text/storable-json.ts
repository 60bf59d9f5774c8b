import { type Issue, invalidRequest } from '../errors.ts';
import { cutText } from './cut-text.ts';

/** Keys that reach the prototype of an object. */
export const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const MAX_ISSUES = 20;

/** A path in a request, as messages show it. */
export const pathName = (path: (string | number)[]): string =>
  path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`;
    const plain = /^[\w-]{1,60}$/.test(part) ? part : JSON.stringify(cutText(part, 60));
    return name === '' ? plain : `${name}.${plain}`;
  }, '') || 'data';

/** Throws INVALID_ARGUMENT for values that cannot be stored in any field. */
export function requireStorable(root: unknown): void {
  const issues = unstorableIn(root);
  if (issues.length > 0) throw invalidRequest(issues);
}

/**
 * Issues of values that cannot be stored in any field: keys that reach an object's prototype, and text or numbers that
 * the database rejects. Nesting has been bounded before.
 */
export function unstorableIn(root: unknown): Issue[] {
  const issues: Issue[] = [];
  const at: (string | number)[] = [];
  const add = (code: string, message: (name: string) => string) => {
    // Paths are relative to `data`, as in other issues.
    const path = at[0] === 'data' ? at.slice(1) : [...at];
    issues.push({ path, code, message: message(pathName(path)) });
  };
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      if (value.includes('\0')) add('nul', (name) => `${name} must not contain a NUL character.`);
      else if (!value.isWellFormed()) add('unicode', (name) => `${name} is not well-formed Unicode.`);
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) add('number', (name) => `${name} is too large a number.`);
    } else if (typeof value === 'object' && value !== null) visitMembers(value);
  };
  const visitMembers = (value: object): void => {
    const isList = Array.isArray(value);
    for (const [key, inner] of Object.entries(value)) {
      if (issues.length >= MAX_ISSUES) return;
      at.push(isList ? Number(key) : key);
      if (FORBIDDEN_KEYS.has(key)) add('key', (name) => `${name} is not an allowed key.`);
      else if (key.includes('\0') || !key.isWellFormed())
        add('key', () => 'A key contains a character that is not allowed.');
      else visit(inner);
      at.pop();
    }
  };
  visit(root);
  return issues;
}
