import getAnalytics from './analytics/get.ts';
import getSeries from './analytics/series.ts';
import builtin from './builtin.ts';
import resolveConfig from './config/resolve.ts';
import create from './create.ts';
import remove from './delete.ts';
import { executions } from './execution/index.ts';
import extract from './extract.ts';
import { findings } from './findings/index.ts';
import get from './get.ts';
import addAgents from './groups/add-agents.ts';
import createGroup from './groups/create.ts';
import deleteGroup from './groups/delete.ts';
import getGroup from './groups/get.ts';
import listGroups from './groups/list.ts';
import removeAgents from './groups/remove-agents.ts';
import updateGroup from './groups/update.ts';
import enhancePrompt from './prompt/enhance.ts';
import refinePrompt from './prompt/refine.ts';
import validatePrompt from './prompt/validate.ts';
import rules from './rules.ts';
import schema from './schema.ts';
import update from './update.ts';
import updateVersion from './version/update.ts';
import createVersion from './versions/create.ts';
import getVersion from './versions/get.ts';
import listVersions from './versions/list.ts';
import restoreVersion from './versions/restore.ts';

export const agents = [
  create,
  update,
  remove,
  get,
  extract,
  updateVersion,
  createVersion,
  listVersions,
  getVersion,
  restoreVersion,
  createGroup,
  getGroup,
  listGroups,
  updateGroup,
  deleteGroup,
  addAgents,
  removeAgents,
  ...executions,
  ...findings,
  getAnalytics,
  getSeries,
  rules,
  builtin,
  schema,
  resolveConfig,
  enhancePrompt,
  validatePrompt,
  refinePrompt,
];
