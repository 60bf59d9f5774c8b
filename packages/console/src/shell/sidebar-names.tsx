import { ChevronsUpDown, CircleUserRound } from 'lucide-react';
import { useKey, useSession } from '../session/session.tsx';

/** The workspace and API key of the page, as the face of a button. */
export function KeyName() {
  const { key, workspace } = useKey();
  return (
    <>
      <span>
        <span className="visually-hidden">API key: </span>
        <b>{workspace.name}</b>
        <small>{key.name}</small>
      </span>
      <ChevronsUpDown size={16} aria-hidden />
    </>
  );
}

/** The person who is signed in, as the face of a button. */
export function AccountName() {
  const { account } = useSession();
  return (
    <>
      <CircleUserRound size={18} aria-hidden />
      <span>
        <span className="visually-hidden">Account: </span>
        <b>{account.name}</b>
        {account.email && <small>{account.email}</small>}
      </span>
    </>
  );
}
