export const agentTypes = ['built-in', 'custom', 'external'] as const;
export const agentSources = ['platform', 'external'] as const;
