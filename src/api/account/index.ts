import update from './update.ts';

export const account = [update];
