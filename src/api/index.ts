import type { Endpoint } from '../http/endpoint.ts';
import type { Routes } from '../http/openapi/openapi.ts';
import { account } from './account/index.ts';
import { activities } from './activities/index.ts';
import { agents } from './agents/index.ts';
import { attachments } from './attachments/index.ts';
import { auth } from './auth/index.ts';
import { commentannotations } from './commentannotations/index.ts';
import { crdt } from './crdt/index.ts';
import { events } from './events.ts';
import { files } from './files.ts';
import { livestate } from './livestate/index.ts';
import { members } from './members/index.ts';
import { memory } from './memory/index.ts';
import { notifications } from './notifications/index.ts';
import { oauth } from './oauth/index.ts';
import { organizations } from './organizations/index.ts';
import { usergroups } from './organizations/usergroups/index.ts';
import { presence } from './presence/index.ts';
import { reviews } from './reviews/index.ts';
import { rewriter } from './rewriter/index.ts';
import { session } from './session/index.ts';
import { tokens } from './tokens/index.ts';
import { users } from './users/index.ts';
import { workspace } from './workspace/index.ts';

/** All endpoints, in the order of the reference. */
export const endpoints: readonly Endpoint[] = [
  ...workspace,
  ...session,
  ...account,
  ...members,
  ...tokens,
  ...oauth,
  ...auth,
  ...agents,
  ...reviews,
  ...organizations,
  ...usergroups,
  ...users,
  ...activities,
  ...presence,
  ...livestate,
  ...crdt,
  ...commentannotations,
  ...attachments,
  ...notifications,
  ...rewriter,
  ...memory,
];

/** All routes of the API. */
export const routes: Routes = { endpoints, files, streams: [events] };
