/** Whose data a query may touch: the API key is the border between tenants. */
export interface Scope {
  workspaceId: string;
  apiKeyId: string;
}
