/** Names of what is read of the workspace. */
export const API_KEYS = ['apiKeys'] as const;
