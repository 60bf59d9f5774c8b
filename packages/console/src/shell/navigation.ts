import {
  Bot,
  BrainCircuit,
  CalendarClock,
  FileText,
  House,
  Inbox,
  KeyRound,
  type LucideIcon,
  PenLine,
  Plug,
  ScanSearch,
  Settings,
  UsersRound,
  Webhook,
} from 'lucide-react';

export interface Destination {
  /** The path after that of the key; empty for the start page. */
  path: string;
  label: string;
  icon: LucideIcon;
  /** Other words that find it in the command palette. */
  words: string;
}

export interface DestinationGroup {
  label: string;
  destinations: readonly Destination[];
}

export const DESTINATIONS: readonly DestinationGroup[] = [
  {
    label: 'Review',
    destinations: [
      { path: '', label: 'Start', icon: House, words: 'home overview dashboard charts' },
      { path: '/reviews', label: 'Reviews', icon: ScanSearch, words: 'runs executions history' },
      { path: '/findings', label: 'Findings', icon: Inbox, words: 'inbox issues problems decide triage' },
      { path: '/agents', label: 'Agents', icon: Bot, words: 'gallery checks rules prompts' },
      { path: '/schedules', label: 'Schedules', icon: CalendarClock, words: 'cron nightly recurring' },
    ],
  },
  {
    label: 'Collaborate',
    destinations: [
      {
        path: '/documents',
        label: 'Documents',
        icon: FileText,
        words: 'comments threads organizations folders',
      },
      {
        path: '/people',
        label: 'People and access',
        icon: UsersRound,
        words: 'users groups permissions explain',
      },
      {
        path: '/memory',
        label: 'Memory',
        icon: BrainCircuit,
        words: 'judgments patterns alerts knowledge ask',
      },
      { path: '/editor', label: 'Live editor', icon: PenLine, words: 'crdt yjs collaborative' },
    ],
  },
  {
    label: 'Operate',
    destinations: [
      {
        path: '/assistants',
        label: 'Assistants',
        icon: Plug,
        words: 'connect mcp claude code codex cursor copilot windsurf zed gemini',
      },
      { path: '/webhooks', label: 'Webhooks', icon: Webhook, words: 'endpoints deliveries events replay' },
      {
        path: '/keys',
        label: 'Keys and tokens',
        icon: KeyRound,
        words: 'api key auth token personal secrets domains',
      },
      {
        path: '/settings',
        label: 'Settings',
        icon: Settings,
        words: 'workspace members sessions health doctor',
      },
    ],
  },
];
