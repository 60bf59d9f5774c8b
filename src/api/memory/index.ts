import actionAlert from './alerts/action.ts';
import getAlertConfig from './alerts/config/get.ts';
import updateAlertConfig from './alerts/config/update.ts';
import dismissAlert from './alerts/dismiss.ts';
import listAlerts from './alerts/list.ts';
import ask from './ask.ts';
import consolidate from './consolidate.ts';
import addJudgments from './judgments/add.ts';
import backfillJudgments from './judgments/backfill.ts';
import deleteJudgments from './judgments/delete.ts';
import queryJudgments from './judgments/query.ts';
import deleteKnowledge from './knowledge/delete.ts';
import downloadKnowledge from './knowledge/download.ts';
import ingestKnowledge from './knowledge/ingest.ts';
import getIngestStatus from './knowledge/ingest-status.ts';
import listKnowledge from './knowledge/list.ts';
import listKnowledgeRules from './knowledge/rules.ts';
import searchKnowledge from './knowledge/search.ts';
import updateKnowledge from './knowledge/update.ts';
import createUploadUrl from './knowledge/upload-url.ts';
import getPatterns from './patterns/get.ts';
import getProfile from './profiles/get.ts';
import search from './search.ts';
import getStats from './stats/get.ts';
import suggest from './suggest.ts';

export const memory = [
  addJudgments,
  queryJudgments,
  deleteJudgments,
  backfillJudgments,
  search,
  suggest,
  ask,
  getPatterns,
  getProfile,
  getStats,
  listAlerts,
  dismissAlert,
  actionAlert,
  getAlertConfig,
  updateAlertConfig,
  consolidate,
  ingestKnowledge,
  createUploadUrl,
  getIngestStatus,
  listKnowledge,
  listKnowledgeRules,
  downloadKnowledge,
  updateKnowledge,
  deleteKnowledge,
  searchKnowledge,
];
