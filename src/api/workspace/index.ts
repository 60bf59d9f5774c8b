import activityconfigGet from './activityconfig/get.ts';
import activityconfigUpdate from './activityconfig/update.ts';
import advancedwebhookDeliveriesGet from './advancedwebhook/deliveries/get.ts';
import advancedwebhookDeliveriesReplay from './advancedwebhook/deliveries/replay.ts';
import advancedwebhookEndpointsCreate from './advancedwebhook/endpoints/create.ts';
import advancedwebhookEndpointsDelete from './advancedwebhook/endpoints/delete.ts';
import advancedwebhookEndpointsGet from './advancedwebhook/endpoints/get.ts';
import advancedwebhookEndpointsSecretGet from './advancedwebhook/endpoints/secret/get.ts';
import advancedwebhookEndpointsSecretRotate from './advancedwebhook/endpoints/secret/rotate.ts';
import advancedwebhookEndpointsTest from './advancedwebhook/endpoints/test.ts';
import advancedwebhookEndpointsUpdate from './advancedwebhook/endpoints/update.ts';
import advancedwebhookEventtypesGet from './advancedwebhook/eventtypes/get.ts';
import advancedwebhookconfigGet from './advancedwebhookconfig/get.ts';
import advancedwebhookconfigUpdate from './advancedwebhookconfig/update.ts';
import apikeyCreate from './apikey/create.ts';
import apikeyUpdate from './apikey/update.ts';
import apikeyconfigGet from './apikeyconfig/get.ts';
import apikeyconfigUpdate from './apikeyconfig/update.ts';
import apikeysGet from './apikeys/get.ts';
import auditExport from './audit/export.ts';
import auditGet from './audit/get.ts';
import auditVerify from './audit/verify.ts';
import authtokenReset from './authtoken/reset.ts';
import authtokensGet from './authtokens/get.ts';
import create from './create.ts';
import domainsAdd from './domains/add.ts';
import domainsDelete from './domains/delete.ts';
import domainsGet from './domains/get.ts';
import emailconfigGet from './emailconfig/get.ts';
import emailconfigUpdate from './emailconfig/update.ts';
import get from './get.ts';
import notificationconfigGet from './notificationconfig/get.ts';
import notificationconfigUpdate from './notificationconfig/update.ts';
import permissionproviderconfigGet from './permissionproviderconfig/get.ts';
import permissionproviderconfigUpdate from './permissionproviderconfig/update.ts';
import tokenReset from './token/reset.ts';
import update from './update.ts';
import usageGet from './usage/get.ts';
import webhookconfigGet from './webhookconfig/get.ts';
import webhookconfigUpdate from './webhookconfig/update.ts';

export const workspace = [
  create,
  get,
  update,
  tokenReset,
  apikeyCreate,
  apikeyUpdate,
  apikeysGet,
  usageGet,
  authtokenReset,
  authtokensGet,
  domainsAdd,
  domainsGet,
  domainsDelete,
  apikeyconfigGet,
  apikeyconfigUpdate,
  emailconfigGet,
  emailconfigUpdate,
  notificationconfigGet,
  notificationconfigUpdate,
  permissionproviderconfigGet,
  permissionproviderconfigUpdate,
  activityconfigGet,
  activityconfigUpdate,
  webhookconfigGet,
  webhookconfigUpdate,
  advancedwebhookconfigGet,
  advancedwebhookconfigUpdate,
  advancedwebhookEndpointsCreate,
  advancedwebhookEndpointsGet,
  advancedwebhookEndpointsUpdate,
  advancedwebhookEndpointsDelete,
  advancedwebhookEndpointsSecretGet,
  advancedwebhookEndpointsSecretRotate,
  advancedwebhookEndpointsTest,
  advancedwebhookDeliveriesGet,
  advancedwebhookDeliveriesReplay,
  advancedwebhookEventtypesGet,
  auditGet,
  auditExport,
  auditVerify,
];
