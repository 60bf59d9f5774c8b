import { explainAccess } from '../../access/explain.ts';
import { createUserTokens, rotateSigningKey, USER_TOKEN_HOURS } from '../../access/user-token.ts';
import type { Db } from '../../db/tables.ts';
import type { Keyring } from '../../lib/crypto.ts';
import { invalidArgument, notFound } from '../../lib/errors.ts';
import { findTokensOf } from '../../store/platform/api-keys.ts';
import { recordForService } from '../setup/run-operation.ts';

interface Question {
  apiKeyId: string;
  organizationId: string;
  documentId: string;
  userId: string;
  token?: string | undefined;
}

/** Explains why a user may or may not open a document. */
export async function explainForOperator(db: Db, keyring: Keyring, asked: Question): Promise<string> {
  const key = await findTokensOf(db, asked.apiKeyId);
  if (!key) throw notFound(`There is no API key ${asked.apiKeyId}.`);
  const verified =
    asked.token === undefined ? undefined : await createUserTokens(db, keyring).verify(asked.token);
  if (asked.token !== undefined && verified?.apiKeyId !== asked.apiKeyId) {
    throw invalidArgument('The token is not a valid one of this API key; it may have expired.');
  }
  if (verified && verified.user.userId !== asked.userId) {
    throw invalidArgument(`The token is that of ${verified.user.userId}.`);
  }
  const scope = { workspaceId: key.workspaceId, apiKeyId: asked.apiKeyId };
  const user = { userId: asked.userId, token: verified?.user };
  return await explainAccess(db, scope, asked, user, Date.now());
}

/** Signs new user tokens with a new key. Issued tokens stay valid. */
export async function rotateForOperator(db: Db, keyring: Keyring): Promise<string> {
  const keyId = await rotateSigningKey(db, keyring, (tx, id) =>
    recordForService(tx, 'redpen keys rotate-signing', { action: 'signing_key.rotated', id }),
  );
  return `User tokens are signed with the key ${keyId} from now on; other nodes follow within a minute.\nThe earlier key stays published for the ${USER_TOKEN_HOURS} hours that its tokens are good for.\n`;
}
