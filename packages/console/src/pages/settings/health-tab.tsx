import { useQuery } from '@tanstack/react-query';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Facts, Note, Row } from '../../ui/stack.tsx';
import { type Column, DataTable } from '../../ui/table.tsx';
import { Time } from '../../ui/time.ts';

interface Check {
  name: string;
  status: 'ok' | 'warning' | 'failed' | 'skipped';
  message?: string;
  since: number;
}

interface Readiness {
  status: 'ready' | 'degraded' | 'not ready';
  faults: string[];
  warnings: string[];
  checks: Check[];
}

interface Health {
  status: string;
  version: string;
  commit: string | null;
}

/** A probe answers with JSON also where the service is not ready. */
async function readProbe<T>(path: string, signal: AbortSignal): Promise<T> {
  const response = await fetch(path, { signal, credentials: 'omit' });
  try {
    return (await response.json()) as T;
  } catch {
    throw new Error(`${path} answered with HTTP ${response.status} and no JSON.`);
  }
}

const AGAIN_MS = 15_000;

export function HealthTab() {
  const ready = useQuery<Readiness>({
    queryKey: ['probe', 'ready'],
    queryFn: ({ signal }) => readProbe('/ready', signal),
    refetchInterval: AGAIN_MS,
  });
  const health = useQuery<Health>({
    queryKey: ['probe', 'health'],
    queryFn: ({ signal }) => readProbe('/health', signal),
  });
  return (
    <>
      <QueryView query={ready}>
        {(data) => (
          <ReadinessCards readiness={data} isReading={ready.isFetching} onRead={() => void ready.refetch()} />
        )}
      </QueryView>
      <QueryView query={health} loading={null}>
        {({ version, commit }) => (
          <Card title="Process">
            <Facts
              facts={[
                ['Version', version],
                ['Commit', commit === null ? 'Unknown' : <code key="commit">{commit}</code>],
              ]}
            />
          </Card>
        )}
      </QueryView>
      <Note>
        From <code>GET /ready</code> and <code>GET /health</code>. The operator sees paths, hosts and versions
        with <code>npm run redpen -- doctor</code>.
      </Note>
    </>
  );
}

const STATES: Record<Readiness['status'], { tone: Tone; title: string }> = {
  ready: { tone: 'good', title: 'The service works' },
  degraded: { tone: 'warn', title: 'Some of the service does not work' },
  'not ready': { tone: 'bad', title: 'The service does not work' },
};

const CHECKS: Record<Check['status'], { tone: Tone; label: string }> = {
  ok: { tone: 'good', label: 'Works' },
  warning: { tone: 'warn', label: 'Warning' },
  failed: { tone: 'bad', label: 'Failed' },
  skipped: { tone: 'neutral', label: 'Not set up' },
};

/** `embeddings` becomes `Embeddings`. */
const nameOf = (check: string): string => check.charAt(0).toUpperCase() + check.slice(1);

const COLUMNS: readonly Column<Check>[] = [
  { id: 'name', header: 'Check', kind: 'tight', cell: ({ name }) => nameOf(name) },
  {
    id: 'status',
    header: 'State',
    kind: 'tight',
    cell: ({ status }) => <Badge tone={CHECKS[status].tone}>{CHECKS[status].label}</Badge>,
  },
  { id: 'message', header: 'Message', kind: 'main', cell: ({ message }) => message ?? '' },
  {
    id: 'since',
    header: 'Since',
    kind: 'tight',
    isNamedWhenNarrow: true,
    cell: ({ since }) => <Time at={since} />,
  },
];

function ReadinessCards({
  readiness,
  isReading,
  onRead,
}: {
  readiness: Readiness;
  isReading: boolean;
  onRead: () => void;
}) {
  const { status, faults, warnings, checks } = readiness;
  const { tone, title } = STATES[status];
  const notes = [...faults, ...warnings];
  return (
    <Card
      title={
        <Row>
          Checks <Badge tone={tone}>{title}</Badge>
        </Row>
      }
      isFlush
      actions={
        <Button size="small" isPending={isReading} onPress={onRead}>
          Check again
        </Button>
      }
    >
      <DataTable
        label="Checks"
        columns={COLUMNS}
        rows={[...notes.map(noteAsCheck), ...checks]}
        keyOf={({ name, message }) => `${name} ${message ?? ''}`}
      />
    </Card>
  );

  function noteAsCheck(message: string, index: number): Check {
    const isFault = index < faults.length;
    return { name: 'service', status: isFault ? 'failed' : 'warning', message, since: Date.now() };
  }
}
