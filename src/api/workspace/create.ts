import { disposableEmailBlocklistSet } from 'disposable-email-domains-js';
import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { permissionDenied } from '../../lib/errors.ts';
import { shownName, workspace } from '../../shapes/workspace.ts';
import { createWorkspace } from '../../store/platform/create-workspace.ts';
import { hasWorkspaces, lockFirstWorkspace } from '../../store/platform/workspaces.ts';

const HOW = 'the operator makes one with `redpen workspace create EMAIL`.';
const CLOSED = `This service creates no workspaces over HTTP: ${HOW}`;
const TAKEN = `This service creates its first workspace over HTTP, and no further ones: ${HOW}`;
const UNSUPPORTED_DOMAIN = 'This email domain is not supported.';

// The package makes the set anew for each call, which takes about a millisecond.
let disposable: ReadonlySet<string> | undefined;

/** True for domains of disposable email addresses and their subdomains. */
function isDisposable(email: string): boolean {
  const labels = email
    .slice(email.lastIndexOf('@') + 1)
    .toLowerCase()
    .split('.');
  disposable ??= disposableEmailBlocklistSet();
  const blocked = disposable;
  return labels.some((_, from) => blocked.has(labels.slice(from).join('.').trim()));
}

export default write({
  path: '/v2/workspace/create',
  auth: 'public',
  summary: 'Create a workspace with its first API key.',
  description:
    '`REDPEN_SIGNUP` decides who may create workspaces: `open` (the default): any caller; `first`: any caller, while there is no workspace; `closed`: no caller, not even the owner of an existing workspace. `redpen workspace create` is always allowed. A repeated request with the same `idempotency-key` returns the same workspace, with `authToken` as `__redacted__`.',
  data: z
    .object({
      ownerEmail: z
        .email()
        // The labels of a longer one are not looked up: they would be as many as its sender likes.
        .max(320, { abort: true })
        .refine((email) => !isDisposable(email), {
          error: UNSUPPORTED_DOMAIN,
        })
        .describe('Disposable email domains are rejected.'),
      name: shownName.optional().describe("Display name of the owner. Defaults to the owner's email."),
      workspaceName: shownName
        .optional()
        .describe("Defaults to the owner's name, or email, followed by ` workspace`."),
      avatar: z
        .url({ protocol: /^https?$/ })
        .max(2000)
        .optional(),
    })
    .meta({ examples: [{ ownerEmail: 'ada@example.com', name: 'Ada', workspaceName: 'Acme' }] }),
  result: workspace,
  message: 'Workspace created successfully',
  rateLimit: {
    name: 'workspace.create',
    perMinute: (settings) => settings.workspaceRate,
    message: 'Rate limit exceeded for this endpoint. Try again later.',
    after: UNSUPPORTED_DOMAIN,
  },
  closed: ({ signup }) => (signup === 'closed' ? CLOSED : undefined),
  // A replay is authenticated by nothing but an IP address and the body, both of which others may share or know.
  onceOnly: ['authToken'],
  failures: {
    RESOURCE_EXHAUSTED:
      'Too many workspaces were created from this address, or the email already has 5 workspaces.',
    PERMISSION_DENIED:
      'Another workspace requires that the first one is on a paid plan, or the operator has disabled creation over HTTP.',
    ALREADY_EXISTS: 'The email already has a workspace with this name.',
  },
  audit: {
    action: 'workspace.created',
    of: (_data, { id, name, apiKeyList }) => ({
      id,
      workspaceId: id,
      after: { name, apiKeys: Object.keys(apiKeyList) },
    }),
  },

  async handle(data, { tx, keyring, settings }) {
    if (settings.signup === 'first') {
      await lockFirstWorkspace(tx);
      if (await hasWorkspaces(tx)) throw permissionDenied(TAKEN);
    }
    return await createWorkspace(tx, keyring, data, settings.plan);
  },
});
