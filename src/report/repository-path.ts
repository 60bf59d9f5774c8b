import { oneLine } from './plain-text.ts';

/** A path from the root of the repository, with slashes, and without a scheme or a drive. Never empty. */
export const repositoryPath = (file: string): string =>
  oneLine(file)
    .replaceAll('\\', '/')
    .replace(/^[a-z][a-z\d+.-]*:/i, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/') || 'unknown';
