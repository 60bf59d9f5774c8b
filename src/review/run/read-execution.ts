import type { z } from 'zod';
import type { Db } from '../../db/tables.ts';
import type { cause, Finding } from '../../shapes/agents/execution.ts';
import { countCauses, firstPlaces, listCauses } from '../../store/agents/execution-causes.ts';
import { firstFindings } from '../../store/agents/execution-findings.ts';
import type { RunRef } from '../../store/agents/execution-leases.ts';
import { listPagesFrom, type PageRow } from '../../store/agents/execution-pages.ts';
import type { ExecutionRow } from '../../store/agents/executions.ts';
import { causeRecord } from './show-execution.ts';

const FIRST_CAUSES = 20;
const EXAMPLES = 3;
/** Findings in one answer, over all of its pages: about a megabyte. */
const MAX_FINDINGS = 500;

/** Causes of a run from a position on, with their first places. */
export async function readCauses(
  db: Db,
  row: ExecutionRow,
  limit: number,
  from = 0,
): Promise<{ position: number; record: z.input<typeof cause> }[]> {
  const rows = await listCauses(db, row, limit, from);
  const places = await firstPlaces(
    db,
    row,
    rows.map(({ causeId }) => causeId),
    EXAMPLES,
  );
  const isCompared = row.outcome.comparison !== undefined;
  return rows.map((one) => ({
    position: one.position,
    record: causeRecord(one, isCompared, places.get(one.causeId) ?? []),
  }));
}

/** The first causes of an ended run and the number of all; undefined while it runs. */
export async function readFirstCauses(db: Db, row: ExecutionRow) {
  if (row.status === 'running') return undefined;
  const first = await readCauses(db, row, FIRST_CAUSES);
  const total = first.length < FIRST_CAUSES ? first.length : await countCauses(db, row);
  return { total, first: first.map(({ record }) => record) };
}

interface PageWithFindings {
  page: PageRow;
  findings: Finding[];
}

/**
 * Pages of a run from a position on, as many as have at most `MAX_FINDINGS` findings together, but at least one. A page
 * with more has only its first. `next` is the position of the page after them.
 */
export async function readPages(
  db: Db,
  ref: RunRef,
  limit: number,
  from: number,
): Promise<{ pages: PageWithFindings[]; next: number | undefined }> {
  const rows = await listPagesFrom(db, ref, from, limit + 1);
  let room = MAX_FINDINGS;
  const fitting = rows.slice(0, limit).filter(({ findingCount }, index) => {
    if (room < 0 || (findingCount > room && index > 0)) {
      room = -1;
      return false;
    }
    room -= findingCount;
    return true;
  });
  const positions = fitting.filter(({ findingCount }) => findingCount > 0).map(({ position }) => position);
  const found = Map.groupBy(
    positions.length > 0 ? await firstFindings(db, ref, positions, MAX_FINDINGS) : [],
    ({ pagePosition }) => pagePosition,
  );
  return {
    pages: fitting.map((page) => ({
      page,
      findings: (found.get(page.position) ?? []).map(({ body }) => body),
    })),
    next: rows[fitting.length]?.position,
  };
}
