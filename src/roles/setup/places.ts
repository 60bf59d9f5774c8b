import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Config } from '../../config.ts';
import { folderOf } from '../../outside/blobs.ts';
import type { DiskPlace } from '../../outside/watch-disk.ts';

export const blobAddressOf = (config: Config, dataDir: string): string =>
  config.REDPEN_BLOB_URL ?? pathToFileURL(join(dataDir, 'blobs')).href;

/** Name of the setting that determines where blobs are stored. */
export const blobSettingOf = (config: Config): string =>
  config.REDPEN_BLOB_URL === undefined ? 'REDPEN_DATA_DIR' : 'REDPEN_BLOB_URL';

/** Folders to which the service writes. */
export function placesOf(config: Config, dataDir: string): DiskPlace[] {
  const blobs = folderOf(blobAddressOf(config, dataDir));
  return [
    { place: 'data', name: 'the data folder', folder: dataDir },
    ...(blobs === undefined ? [] : [{ place: 'files', name: 'kept files', folder: blobs }]),
    { place: 'temporary', name: 'temporary files', folder: tmpdir() },
  ];
}

export type ProviderSettings = Record<
  'claude' | 'openai' | 'gemini',
  { apiKey: string | undefined; baseUrl: string | undefined }
>;

export const providersOf = (config: Config): ProviderSettings => ({
  claude: { apiKey: config.ANTHROPIC_API_KEY, baseUrl: config.ANTHROPIC_BASE_URL },
  openai: { apiKey: config.OPENAI_API_KEY, baseUrl: config.OPENAI_BASE_URL },
  gemini: { apiKey: config.GOOGLE_GENERATIVE_AI_API_KEY, baseUrl: config.GOOGLE_GENERATIVE_AI_BASE_URL },
});
