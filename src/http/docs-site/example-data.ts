import type { Endpoint } from '../endpoint.ts';
import { exampleOf } from '../openapi/openapi.ts';

/** Operations whose examples create what the other examples name, in an order in which each finds what it needs. */
const CREATES = [
  '/v2/organizations/add',
  '/v2/organizations/folders/add',
  '/v2/organizations/documents/add',
  '/v2/users/add',
  '/v2/organizations/usergroups/add',
  '/v2/workspace/activityconfig/update',
  '/v2/commentannotations/add',
  '/v2/commentannotations/comments/add',
  '/v2/notifications/add',
  '/v2/activities/add',
  '/v2/crdt/add',
  '/v2/crdt/snapshots/create',
  '/v2/agents/create',
  '/v2/agents/groups/create',
  '/v2/memory/judgments/add',
];

export interface ExampleRequest {
  path: string;
  data: unknown;
}

/** The requests that create the data of the examples on an empty API key. None of them calls another host. */
export const exampleDataOf = (endpoints: readonly Endpoint[]): ExampleRequest[] =>
  CREATES.flatMap((path) => {
    const endpoint = endpoints.find((one) => [one.path].flat().includes(path));
    return endpoint ? [{ path, data: exampleOf(endpoint) }] : [];
  });
