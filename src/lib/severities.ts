/** From the gravest. */
export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;
