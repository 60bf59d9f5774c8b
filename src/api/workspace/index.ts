import apikeyCreate from './apikey/create.ts';
import apikeyUpdate from './apikey/update.ts';
import apikeyconfigGet from './apikeyconfig/get.ts';
import apikeyconfigUpdate from './apikeyconfig/update.ts';
import apikeysGet from './apikeys/get.ts';
import authtokenReset from './authtoken/reset.ts';
import authtokensGet from './authtokens/get.ts';
import create from './create.ts';
import domainsAdd from './domains/add.ts';
import domainsDelete from './domains/delete.ts';
import domainsGet from './domains/get.ts';
import get from './get.ts';

export const workspace = [
  create,
  get,
  apikeyCreate,
  apikeyUpdate,
  apikeysGet,
  authtokenReset,
  authtokensGet,
  domainsAdd,
  domainsGet,
  domainsDelete,
  apikeyconfigGet,
  apikeyconfigUpdate,
];
