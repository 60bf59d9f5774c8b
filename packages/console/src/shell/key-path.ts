import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { useKey } from '../session/session.tsx';

/** The address of a page of an API key, such as `/reviews`. */
export const pathOfKey = (apiKeyId: string, path: string): string =>
  `/k/${encodeURIComponent(apiKeyId)}${path}`;

/** Makes addresses of pages of the present API key. */
export function useKeyPath(): (path: string) => string {
  const { apiKeyId } = useKey().key;
  return useCallback((path) => pathOfKey(apiKeyId, path), [apiKeyId]);
}

/** Opens a page of the present API key. */
export function useGo(): (path: string) => void {
  const navigate = useNavigate();
  const to = useKeyPath();
  return useCallback((path) => void navigate({ to: to(path) }), [navigate, to]);
}
