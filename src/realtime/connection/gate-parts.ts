import type { Hocuspocus } from '@hocuspocus/server';
import type { Scope, TokenUser } from '../../lib/scope.ts';
import type { EditorRef } from '../document/editors.ts';
import type { OpenEditor } from '../document/open-editor.ts';
import type { AppendLog } from '../log/append-log.ts';
import type { Cause } from '../protocol/close-codes.ts';
import type { Limits } from '../protocol/limits.ts';
import type { Session } from './hooks.ts';
import type { MessageBudgets } from './message-budgets.ts';

export interface Verified {
  scope: Scope;
  user: TokenUser;
}

export interface GateParts {
  limits: Limits;
  engineOf(scope: Scope): Hocuspocus<Session>;
  openEditorOf(document: object): OpenEditor | undefined;
  log: AppendLog;
  /** Who a token is of; throws an ApiError where it is none that is good here. */
  verify(token: string): Promise<Verified>;
  /** Whether a user may open an editor, and only to read; throws an ApiError where not. */
  admit(verified: Verified, editor: EditorRef): Promise<{ readOnly: boolean }>;
  charge(verified: Verified, amount: number): boolean;
  budgets: MessageBudgets;
  onClosed(cause: Cause | undefined): void;
  /** The connection shows its first valid token. Answers why it must be closed, where it must. */
  onAuthenticated(verified: Verified): Cause | undefined;
}
