import { z } from 'zod';
import { write } from '../../http/endpoint.ts';
import { personName } from '../../shapes/identity/member.ts';
import { account } from '../../shapes/identity/session.ts';
import { getAccount, renameAccount } from '../../store/identity/accounts.ts';

export default write({
  path: '/v2/account/update',
  auth: 'account',
  isConsole: true,
  summary: "Change the person's name in the console.",
  description: 'The name is shown in all workspaces of the person, and with what they write from now on.',
  data: z.object({ name: personName }).meta({ examples: [{ name: 'Ada' }] }),
  result: account,
  message: 'Account updated successfully.',

  async handle({ name }, { tx, caller, revoke }) {
    const { accountId } = caller.session;
    await renameAccount(tx, accountId, name);
    revoke(accountId);
    return (await getAccount(tx, accountId))!;
  },
});
