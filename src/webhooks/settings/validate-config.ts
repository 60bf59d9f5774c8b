import { allowHostHint } from '../../lib/allow-host-hint.ts';
import { type Issue, invalidRequest } from '../../lib/errors.ts';
import type { CheckUrl } from '../../outside/net/ssrf-guard.ts';
import { isWebhookEvent } from '../catalog/webhook-catalog.ts';
import { readPublicKey } from './public-key.ts';

type Path = Issue['path'];

/** Issues of a URL that is to be stored; an empty URL means none and is valid. */
export function urlIssues(path: Path, url: string | undefined, checkUrl: CheckUrl): Issue[] {
  const refusal = url === undefined || url === '' ? undefined : checkUrl(url);
  if (refusal === undefined) return [];
  const name = path.join('.');
  const message =
    refusal === 'userinfo'
      ? `${name} must not contain a user name or password.`
      : refusal === 'not-a-url' || refusal === 'scheme'
        ? `${name} must be a valid http(s) URL.`
        : `${name} leads to an address that is not allowed: internal, loopback and link-local hosts are refused. ${allowHostHint(url!)}`;
  return [{ path, code: 'refused_url', message }];
}

/** Event types of compatible APIs that this service never raises; filters may name them nevertheless. */
const FOREIGN_TYPES = new Set([
  'comment.reaction_add',
  'comment.reaction_delete',
  'comment_annotation.accept',
  'comment_annotation.approve',
  'comment_annotation.custom_list_change',
  'comment_annotation.reject',
  'comment_annotation.subscribe',
  'comment_annotation.unsubscribe',
  'huddle.create',
  'huddle.join',
  'recorder.done',
]);

/** Issues of a filter that names unknown event types. */
export function eventTypeIssues(filterTypes: string[] | null | undefined): Issue[] {
  const unknown = (filterTypes ?? []).filter((type) => !isWebhookEvent(type) && !FOREIGN_TYPES.has(type));
  if (unknown.length === 0) return [];
  const names = unknown.map((type) => JSON.stringify(type)).join(', ');
  const message = `filterTypes must name event types that there are; unknown: ${names}.`;
  return [{ path: ['filterTypes'], code: 'unknown_event_type', message }];
}

/** Issues of a public key; an empty key removes the stored one and is valid. */
export function publicKeyIssues(path: Path, publicKey: string | undefined): Issue[] {
  if (publicKey === undefined || publicKey === '') return [];
  try {
    readPublicKey(publicKey);
    return [];
  } catch (error) {
    return [{ path, code: 'public_key', message: (error as Error).message }];
  }
}

/** Throws INVALID_ARGUMENT if there are issues. */
export function refuse(...issues: Issue[]): void {
  if (issues.length > 0) throw invalidRequest(issues);
}
