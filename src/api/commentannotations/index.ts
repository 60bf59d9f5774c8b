import get from './get.ts';

export const commentannotations = [get];
