import create from './create.ts';

export const workspace = [create];
