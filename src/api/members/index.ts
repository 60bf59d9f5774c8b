import invitationsList from './invitations/list.ts';
import invitationsRevoke from './invitations/revoke.ts';
import invite from './invite.ts';
import list from './list.ts';
import remove from './remove.ts';
import update from './update.ts';

export const members = [list, invite, update, remove, invitationsList, invitationsRevoke];
