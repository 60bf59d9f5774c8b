import { Counter } from 'prom-client';
import type { z } from 'zod';
import type { Issue } from '../../lib/errors.ts';
import { isObject } from '../../lib/json.ts';
import { pathName } from '../../lib/text/storable-json.ts';
import type { IgnoredField } from '../endpoint.ts';
import { type FieldTree, fieldTreeOf, type ObjectTree } from './field-tree.ts';
import { suggestField } from './suggest-field.ts';

type Path = (string | number)[];

/** A field of a request that the operation does not read. */
interface UnknownField {
  /** Relative to `data`, as in issues. */
  path: Path;
  isBeside: boolean;
  /** The object that lacks the field; for a field next to `data`, the fields of `data`. */
  object: ObjectTree | undefined;
}

export interface Warning {
  path: Path;
  code: 'unknown_field' | 'beside_data' | 'no_effect';
  message: string;
  suggestion?: string;
}

/** The part of a result that reports unknown and ignored fields. */
export interface Warnings {
  warnings: Warning[];
  /** Number of further warnings, if any. */
  warningsOmitted?: number;
}

export const MAX_WARNINGS = 20;

export const unknownFieldsSent = new Counter({
  name: 'redpen_request_unknown_fields_total',
  help: 'Fields of requests that their operation does not read, by operation: ignored with a warning, or rejected.',
  labelNames: ['operation'],
  registers: [],
});

export interface RequestFields {
  data: unknown;
  /** Names of the fields next to `data`. */
  beside: readonly string[];
}

/** Finds fields of requests that an operation does not read. */
export function unknownFieldFinder(schema: z.ZodType) {
  const tree = fieldTreeOf(schema);
  const root = tree?.kind === 'object' ? tree : undefined;

  const find = ({ data, beside }: RequestFields): UnknownField[] => {
    const found: UnknownField[] = beside.map((name) => ({ path: [name], isBeside: true, object: root }));
    if (tree?.isLoud) visit(tree, data, [], found);
    return found;
  };
  const warningOf = (field: UnknownField): Warning => {
    const suggestion = suggestField(tree, field);
    const meant = suggestion === undefined ? '' : `; did you mean ${suggestion}?`;
    const message = field.isBeside
      ? `${pathName(field.path)} lies beside data, where it is not read${meant || '; parameters belong in data.'}`
      : `${pathName(['data', ...field.path])} is not a field of this operation${meant || '.'}`;
    const code = field.isBeside ? 'beside_data' : 'unknown_field';
    return { path: field.path, code, message, ...(suggestion !== undefined && { suggestion }) };
  };

  return {
    find,
    warningsOf(found: readonly UnknownField[], ignored: readonly IgnoredField[] = []): Warnings {
      const omitted = found.length + ignored.length - MAX_WARNINGS;
      const warnings = [
        ...found.slice(0, MAX_WARNINGS).map(warningOf),
        ...ignored.slice(0, MAX_WARNINGS).map(({ path, because }) => ({
          path,
          code: 'no_effect' as const,
          message: `${pathName(['data', ...path])} has no effect: ${because}.`,
        })),
      ];
      return {
        warnings: warnings.slice(0, MAX_WARNINGS),
        ...(omitted > 0 && { warningsOmitted: omitted }),
      };
    },
    /** Issues like those of strict schemas. `known` are the other problems of the request. */
    issuesOf(found: readonly UnknownField[], known: readonly Issue[]): Issue[] {
      const reported = new Set(known.map(({ path }) => JSON.stringify(path)));
      return found
        .filter(({ path, isBeside }) => isBeside || !reported.has(JSON.stringify(path)))
        .map((field, index) => ({
          path: field.path,
          code: 'unrecognized_key',
          message:
            index < MAX_WARNINGS
              ? warningOf(field).message
              : `${pathName(['data', ...field.path])} is not a field of this operation.`,
        }));
    },
  };
}

/** Adds the unknown fields of a value in their order. `path` is that of the value and is unchanged afterwards. */
function visit(tree: FieldTree, value: unknown, path: Path, found: UnknownField[]): void {
  if (tree.kind === 'choice') {
    visitChoice(tree, value, path, found);
    return;
  }
  if (tree.kind === 'list') {
    if (!Array.isArray(value)) return;
    for (let index = 0; index < value.length; index++) {
      const inner = index < tree.first.length ? tree.first[index] : tree.element;
      if (inner?.isLoud) visitAt(inner, value[index], path, index, found);
    }
    return;
  }
  if (!isObject(value)) return;
  for (const name in value) {
    const inner = tree.fields.get(name);
    if (inner === undefined && !tree.fields.has(name)) {
      if (tree.dropsOthers) found.push({ path: [...path, name], isBeside: false, object: tree });
      else if (tree.others?.isLoud) visitAt(tree.others, value[name], path, name, found);
    } else if (inner?.isLoud) visitAt(inner, value[name], path, name, found);
  }
}

function visitAt(
  tree: FieldTree,
  value: unknown,
  path: Path,
  part: string | number,
  found: UnknownField[],
): void {
  path.push(part);
  visit(tree, value, path, found);
  path.pop();
}

/** Adds the fields that no matching alternative reads. Without a match the request is invalid: then all count. */
function visitChoice(
  { options }: Extract<FieldTree, { kind: 'choice' }>,
  value: unknown,
  path: Path,
  found: UnknownField[],
): void {
  if (typeof value !== 'object' || value === null) return;
  const matching = options.filter(({ accepts }) => accepts(value));
  const [first = [], ...others] = (matching.length > 0 ? matching : options).map(({ tree }) => {
    const unknown: UnknownField[] = [];
    if (tree) visit(tree, value, path, unknown);
    return unknown;
  });
  const isUnknownTo = (other: UnknownField[], { path: at }: UnknownField) =>
    other.some(({ path: end }) => end.every((part, index) => at[index] === part));
  found.push(...first.filter((field) => others.every((other) => isUnknownTo(other, field))));
}
