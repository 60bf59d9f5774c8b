import { md5 } from './ids.ts';
import { type Fields, isObject } from './json.ts';

/** Replaces every user whose data was deleted. */
export const DELETED_USER = { userId: 'redpen:deleted-user', name: 'Deleted user' };

const TOKEN = /\{\{([^{}]*)\}\}/g;
/** Shorter names occur in texts by chance. */
const MIN_MENTION_LENGTH = 3;

/**
 * Erases users from a record: removes them from lists and replaces them by the deleted user elsewhere. Mentions are
 * anonymized; free text of others about them is not searched.
 */
export function erasePeople<Value>(record: Value, userIds: readonly string[]): Value {
  const gone = new Set(userIds);
  const hashes = new Set(userIds.map(md5));
  const mentions = [...mentionsIn(record, gone)].sort((a, b) => b.length - a.length);
  const isGone = (value: unknown): boolean =>
    isObject(value) && typeof value.userId === 'string' && gone.has(value.userId);

  const text = (value: string): string => {
    const named = value.replace(TOKEN, (token, name: string) =>
      gone.has(name.trim()) ? DELETED_USER.name : token,
    );
    return mentions.reduce((before, mention) => before.replaceAll(mention, DELETED_USER.name), named);
  };
  const within = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') {
      return /(userid|updatedby)$/i.test(key) && gone.has(value) ? DELETED_USER.userId : text(value);
    }
    if (Array.isArray(value)) {
      const ids = /userids$/i.test(key);
      return value
        .filter((one) => !isGone(one) && !(ids && gone.has(one)))
        .map((one) => within(one, ids ? '' : key));
    }
    if (!isObject(value)) return value;
    return isGone(value) ? { ...DELETED_USER } : fields(value);
  };
  // Some records have hashes of user ids as keys.
  const fields = (value: Fields): Fields =>
    Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => !hashes.has(key))
        .map(([key, inner]) => [key, within(inner, key)]),
    );

  if (!isObject(record)) return within(record, '') as Value;
  // A record about an erased user keeps its other fields.
  const { name, email, ...rest } = record as Fields;
  return fields(isGone(record) ? rest : record) as Value;
}

/** The mentions of erased users in a text. */
function mentionsIn(value: unknown, gone: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const stack = [value];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (!isObject(next) && !Array.isArray(next)) continue;
    if (isObject(next) && Array.isArray(next.taggedUserContacts)) {
      for (const tagged of next.taggedUserContacts.filter(isObject)) {
        const { userId, text } = tagged;
        const isName =
          typeof text === 'string' && text.length >= MIN_MENTION_LENGTH && !text.startsWith('{{');
        if (isName && typeof userId === 'string' && gone.has(userId)) found.add(text);
      }
    }
    stack.push(...Object.values(next));
  }
  return found;
}

/** Search strings: the JSON of every record that names one of the users contains at least one of them. */
export const tracesOf = (userIds: readonly string[]): string[] =>
  userIds.flatMap((userId) => {
    const written = JSON.stringify(userId);
    return [written, `{{${written.slice(1, -1)}`, JSON.stringify(md5(userId))];
  });
