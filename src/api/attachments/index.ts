import create from './create.ts';
import deleteAttachment from './delete.ts';
import get from './get.ts';
import list from './list.ts';

export const attachments = [create, get, list, deleteAttachment];
