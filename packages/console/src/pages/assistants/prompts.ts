import type { Scope } from '../../data/identity.ts';

/** A first request to an assistant. */
export interface Prompt {
  label: string;
  text: string;
}

/** First requests to an assistant with these scopes. None asks for what the service would refuse. */
export const promptsFor = (scopes: readonly Scope[]): Prompt[] => {
  const may = (scope: Scope) => scopes.includes(scope);
  return [
    ...(may('read')
      ? [
          {
            label: 'To begin',
            text: 'List the open findings that Redpen has on our pages, the most severe first. Change nothing yet.',
          },
          {
            label: 'To mend',
            text: may('comment')
              ? 'Fix the open findings of https://example.com/ in this project, and write in the thread of each what you have changed.'
              : 'Fix the open findings of https://example.com/ in this project, and tell me what you have changed for each.',
          },
        ]
      : []),
    ...(may('review')
      ? [
          {
            label: 'To check',
            text: 'Review http://localhost:3000/ with Redpen, fix what it finds, and review the page again.',
          },
        ]
      : []),
  ];
};
