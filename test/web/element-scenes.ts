import type { Notification, Presence, Thread } from '../../packages/client/src/index.ts';
import '../../packages/elements/src/elements.ts';
import type { ListedFinding, ReviewRecord } from '../../packages/elements/src/elements.ts';

/** A module of the page: it shows elements with data that do not change. */
declare global {
  interface Window {
    show(scene: string): void;
    events: { name: string; detail: unknown }[];
  }
}

const RULES = ['missing-alt', 'broken-link', 'spelling', 'color-contrast', 'html-lang'];
const TITLES = [
  'Image without a text alternative',
  'Link leads nowhere',
  '“teh” is misspelled',
  'Low contrast of the button',
  'No language is declared',
];
const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
const NOW = Date.UTC(2026, 10, 26, 12);

const findings: ListedFinding[] = Array.from({ length: 12 }, (_, at) => ({
  id: `fnd_${at}`,
  number: at + 1,
  title: TITLES[at % 5]!,
  issueType: RULES[at % 5]!,
  severity: SEVERITIES[at % 5]!,
  description: 'Screen readers have nothing to read for this picture.',
  suggestion: 'Describe what the picture shows.',
  pageUrl: `https://shop.example.com/${['', 'about', 'prices?plan=team'][at % 3]}`,
  targetText: at % 5 === 2 ? 'teh' : '',
  context: { before: 'Our lamps light up ', after: ' room.' },
  htmlSelector: 'main > section:nth-of-type(2) img',
  htmlSnippet: '<img src="/lamp.svg">',
  url: 'https://shop.example.com/old',
  statusCode: 404,
  agentName: 'Accessibility',
  comparison: at % 4 === 0 ? 'new' : 'still_there',
  position: { x: 60 + ((at * 211) % 1_000), y: 40 + at * 110, width: 160, height: 40 },
  ...(at === 7 && {
    decision: 'rejected' as const,
    decidedBy: { userId: 'eve', name: 'Eve' },
    decidedAt: NOW,
  }),
}));

const ada = { userId: 'ada', name: 'Ada Lovelace', email: 'ada@acme.dev' };
const bob = { userId: 'bob', name: 'Bob Ngata', email: 'bob@acme.dev' };

const comment = (commentId: number, from: typeof ada, commentText: string, more: object = {}) => ({
  commentId,
  from,
  commentText,
  createdAt: NOW - commentId * 60_000,
  lastUpdated: '2026-11-26T12:00:00Z',
  ...more,
});

const thread = (annotationNumber: number, comments: Thread['comments'], more: object = {}): Thread => ({
  annotationId: `ann_${annotationNumber}`,
  annotationNumber,
  annotationIndex: annotationNumber,
  status: { id: 'OPEN', name: 'Open', type: 'default' },
  visibilityConfig: { type: 'public' },
  metadata: { apiKey: 'key', organizationId: 'acme', documentId: 'website' },
  createdAt: NOW,
  lastUpdated: NOW - annotationNumber,
  comments,
  pageInfo: { url: 'https://shop.example.com/prices' },
  ...(comments[0]?.from && { from: comments[0].from }),
  ...more,
});

const reason = {
  title: 'Misspelled',
  description: 'A word.',
  severity: 'high' as const,
  suggestion: 'Write “the”.',
};
const threads = [
  thread(
    4,
    [
      comment(
        2,
        ada,
        'The headline is **too long**, {{bob}}. See https://example.com/guide.\n\n- shorter\n- `price`\n\n> quoted',
        {
          taggedUserContacts: [{ userId: 'bob', contact: bob }],
          reactions: [{ reactionId: '👍', count: 2, users: [bob, ada] }],
        },
      ),
      comment(1, bob, 'Done.', {
        isEdited: true,
        attachments: [
          {
            attachmentId: 'a',
            fileName: 'a.svg',
            mimeType: 'image/svg+xml',
            url: `${location.origin}/picture.svg`,
          },
        ],
      }),
    ],
    { isUnread: true },
  ),
  thread(
    3,
    [comment(3, { userId: 'spelling', name: 'Spelling', email: '' }, 'Misspelled', { sourceType: 'agent' })],
    {
      sourceType: 'agent',
      suggestion: { status: 'pending', oldValue: 'light up teh room', newValue: 'light up the room' },
      agent: { agentSource: 'platform', url: 'https://shop.example.com/', reason },
    },
  ),
  thread(2, [comment(4, bob, 'Is the price with tax?')]),
  thread(1, [comment(5, ada, 'This paragraph is gone.')]),
];

const run = (agentName: string, status: 'running' | 'passed', verdict?: 'clean' | 'findings' | 'broken') => ({
  executionId: agentName,
  agentId: agentName,
  agentName,
  url: 'https://shop.example.com/',
  status,
  ...(verdict && { verdict }),
  progress: { urlsPlanned: 12, urlsProcessed: 7, findings: 5 },
  ...(verdict === 'broken' && {
    error: {
      code: 'browser',
      message: 'The browser could not open the page.',
      retryable: true,
      occurredAt: NOW,
    },
  }),
});

const review: ReviewRecord = {
  id: 'review',
  status: 'running',
  urls: ['https://shop.example.com/'],
  agents: [],
  config: { crossPageExecute: true, maxUrlsToProcess: 12, deviceType: 'desktop' },
  metadata: { organizationId: 'acme', documentId: 'website' },
  startedAt: NOW,
  completedAt: null,
  durationMs: null,
  progress: { urlsPlanned: 48, urlsProcessed: 31, findings: 17 },
  executions: [
    run('Broken links', 'running'),
    run('Accessibility', 'passed', 'findings'),
    run('Spelling', 'passed', 'clean'),
    run('Lighthouse', 'passed', 'broken'),
  ],
  revision: '1',
};

const notification = (id: string, isUnread: boolean): Notification => ({
  id,
  notificationSource: 'comment',
  actionUser: bob,
  timestamp: NOW,
  displayHeadlineMessage: 'Bob Ngata mentioned you',
  displayBodyMessage: 'Is the price with tax?',
  metadata: { apiKey: 'key', organizationId: 'acme' },
  isNotificationResolverUsed: false,
  isUnread,
});

const users: Presence[] = ['Ada Lovelace', 'Bob Ngata', 'Eve', '山田 花子', 'ليلى', 'Max', 'Noa'].map(
  (name, at) => ({
    userId: name,
    name,
    status: at === 1 ? 'away' : 'online',
    lastUpdated: NOW,
  }),
);

const provider = document.querySelector('rp-provider')!;

function add<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  Object.assign(element, properties);
  provider.append(element);
  return element;
}

const picture = { src: '/picture.svg', width: 1_280, height: 1_500, pageUrl: 'https://shop.example.com/' };
const rules = {
  'broken-link': { title: 'Broken link', help: 'A link leads to an address that does not answer.' },
};

const SCENES: Readonly<Record<string, () => void>> = {
  pins: () => void add('rp-pins', { ...picture, findings, selected: 'fnd_1' }),
  page() {
    const button = document.createElement('button');
    button.textContent = 'Of the page';
    button.style.setProperty('margin-block', '300px');
    provider.append(button);
    const pin = {
      id: 'one',
      number: 1,
      title: 'A comment',
      kind: 'comment' as const,
      x: 40,
      y: 200,
      width: 60,
      height: 20,
    };
    add('rp-pins', { over: 'page', pins: [pin] });
  },
  findings: () =>
    void add('rp-findings', { findings, rules, selected: 'fnd_1', reasons: ['It is a quotation.'] }),
  run: () =>
    void add('rp-run', {
      review,
      logs: { 'Broken links': [{ at: NOW, level: 'warn', message: 'Fetched.' }] },
    }),
  diff() {
    add('rp-diff', { oldText: 'light up teh room', newText: 'light up the room' });
    add('rp-diff', { mode: 'split', oldText: 'light up teh room', newText: 'light up the room' });
  },
  threads: () =>
    void add('rp-threads', {
      threads,
      selected: 'ann_4',
      orphans: ['ann_1'],
      pageUrl: 'https://shop.example.com/',
    }),
  suggestion: () => void add('rp-thread', { thread: threads[1]! }),
  composer: () => void add('rp-composer', { people: [ada, bob], canCancel: true, draftKey: 'draft' }),
  inbox: () =>
    void add('rp-inbox', {
      notifications: [notification('n1', true), notification('n2', false)],
      open: true,
    }),
  presence: () => void add('rp-presence', { users }),
  empty() {
    add('rp-pins', {});
    add('rp-findings', { findings: [] });
    add('rp-threads', { threads: [] });
    add('rp-inbox', { notifications: [] });
    add('rp-presence', { users: [] });
  },
};

const { searchParams } = new URL(location.href);
const locale = searchParams.get('locale') ?? 'en';
const theme = searchParams.get('theme') === 'dark' ? 'dark' : 'light';
provider.locale = locale;
provider.theme = theme;
provider.user = ada;
document.documentElement.lang = locale;
document.documentElement.dir = locale === 'ar' ? 'rtl' : 'ltr';
document.documentElement.style.setProperty('color-scheme', theme);
document.body.style.setProperty('background', 'light-dark(#faf9f7, #141312)');
document.body.style.setProperty('color', 'light-dark(#1d1b19, #efece9)');

window.events = [];
window.show = (scene) => {
  provider.replaceChildren();
  SCENES[scene]!();
};
for (const name of [
  'rp-pin-select',
  'rp-finding-select',
  'rp-finding-decide',
  'rp-findings-decided',
  'rp-submit',
  'rp-cancel',
  'rp-thread-select',
  'rp-thread-action',
  'rp-notification-open',
])
  document.addEventListener(name, (event) => {
    const { detail } = event as CustomEvent<unknown>;
    window.events.push({ name, detail: JSON.parse(JSON.stringify(detail ?? null)) });
  });
document.documentElement.dataset.ready = '';
