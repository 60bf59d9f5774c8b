import { request } from './request/index.ts';

export const oauth = [...request];
