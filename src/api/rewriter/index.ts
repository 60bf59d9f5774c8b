import askAi from './ask-ai.ts';

export const rewriter = [askAi];
