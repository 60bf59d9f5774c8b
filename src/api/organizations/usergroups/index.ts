import add from './add.ts';
import deleteGroups from './delete.ts';
import get from './get.ts';
import usersAdd from './users/add.ts';
import usersDelete from './users/delete.ts';
import usersGet from './users/get.ts';

export const usergroups = [add, get, deleteGroups, usersAdd, usersGet, usersDelete];
