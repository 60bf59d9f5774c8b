import { type PersonalToken, revokeToken } from '../data/identity.ts';
import { useKeyMutation } from '../data/use-key-query.ts';
import { FormDialog } from '../ui/dialog.tsx';
import { announce } from '../ui/toasts.tsx';
import { TOKENS } from './personal-tokens.ts';

/** Asks before a token is revoked, since what uses it stops working. */
export function RevokeTokenDialog({ token, onClose }: { token: PersonalToken; onClose: () => void }) {
  const revoke = useKeyMutation((redpen) => revokeToken(redpen, token.tokenId), { renews: [TOKENS] });
  const submit = async (): Promise<void> => {
    await revoke.mutateAsync(undefined);
    announce('The token is revoked.');
  };
  return (
    <FormDialog
      title={`Revoke ${token.name}?`}
      role="alertdialog"
      isOpen
      isDanger
      submitLabel="Revoke token"
      onClose={onClose}
      onSubmit={submit}
    >
      <p>Programs that use it are refused at once.</p>
    </FormDialog>
  );
}
