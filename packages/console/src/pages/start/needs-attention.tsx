import type { ReviewSchedule, WebhookEndpoint } from '@redpen/client';
import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import { useKeyQuery } from '../../data/use-key-query.ts';
import { useKeyPath } from '../../shell/key-path.ts';
import styles from './attention.module.css';

interface Notice {
  text: string;
  path: '/webhooks' | '/schedules';
}

const LINKS: Record<Notice['path'], string> = {
  '/webhooks': 'Show the webhooks',
  '/schedules': 'Show the schedules',
};

const ofEndpoint = ({ url, failingSince, disabledReason }: WebhookEndpoint): Notice[] => {
  const path = '/webhooks' as const;
  if (disabledReason === 'gone' || disabledReason === 'failing')
    return [{ text: `Webhooks to ${url} are off, because deliveries failed.`, path }];
  return failingSince === null ? [] : [{ text: `All deliveries to ${url} fail.`, path }];
};

const ofSchedule = ({ name, enabled, lastError }: ReviewSchedule): Notice[] =>
  enabled && lastError !== null
    ? [{ text: `The schedule ${name} could not start: ${lastError}`, path: '/schedules' }]
    : [];

/** Things that do not work and that a person must look at. Shows nothing while all is well. */
export function NeedsAttention() {
  const to = useKeyPath();
  const webhooks = useKeyQuery(['webhooks', 'config'], (redpen, signal) =>
    redpen.webhookConfig.get({}, { signal }),
  );
  const endpoints = useKeyQuery(
    ['webhooks', 'endpoints', 'health'],
    (redpen, signal) => redpen.webhookEndpoints.list({}, { signal }),
    { enabled: webhooks.data?.isEnabled === true },
  );
  const schedules = useKeyQuery(
    ['schedules'],
    async (redpen, signal) => (await redpen.schedules.list({}, { signal })).schedules,
  );
  const notices = [
    ...(endpoints.data?.endpoints ?? []).flatMap(ofEndpoint),
    ...(schedules.data ?? []).flatMap(ofSchedule),
  ];
  if (notices.length === 0) return null;
  return (
    <ul className={styles.notices} aria-label="Needs attention">
      {notices.map(({ text, path }) => (
        <li key={text}>
          <TriangleAlert size={16} aria-hidden />
          <span>{text}</span>
          <Link to={to(path)}>{LINKS[path]}</Link>
        </li>
      ))}
    </ul>
  );
}
