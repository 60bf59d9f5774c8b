import type { z } from 'zod';
import type { Db } from '../../db/tables.ts';
import type { cause, Finding } from '../../shapes/agents/execution.ts';
import {
  annotationsOfCauses,
  countCauses,
  firstPlaces,
  listCauses,
} from '../../store/agents/execution-causes.ts';
import { firstFindings } from '../../store/agents/execution-findings.ts';
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

/** Findings of a run with the ids of their suggestions; those of a cause have the suggestion of the cause. */
export async function withSuggestions(
  db: Db,
  row: ExecutionRow,
  findings: readonly Finding[],
): Promise<Finding[]> {
  if (row.outcome.siteWideAnnotations === undefined) return [...findings];
  const causeIds = [...new Set(findings.flatMap(({ causeId }) => causeId ?? []))];
  const annotations = await annotationsOfCauses(db, row, causeIds);
  return findings.map((finding) => {
    const commentId = annotations.get(finding.causeId ?? '') ?? finding.commentId;
    return commentId === undefined ? finding : { ...finding, commentId };
  });
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
  row: ExecutionRow,
  limit: number,
  from: number,
): Promise<{ pages: PageWithFindings[]; next: number | undefined }> {
  const rows = await listPagesFrom(db, row, from, limit + 1);
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
  const found = positions.length > 0 ? await firstFindings(db, row, positions, MAX_FINDINGS) : [];
  const findings = await withSuggestions(
    db,
    row,
    found.map(({ body }) => body),
  );
  const ofPage = Map.groupBy(findings, (_, index) => found[index]!.pagePosition);
  return {
    pages: fitting.map((page) => ({ page, findings: ofPage.get(page.position) ?? [] })),
    next: rows[fitting.length]?.position,
  };
}
