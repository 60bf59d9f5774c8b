import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Service } from '../service/reach-service.ts';
import type { Answer } from '../text/answer.ts';

export interface ToolContext {
  service: Service;
  /** Aborted once the client no longer waits. */
  signal: AbortSignal;
  /** Aborted once the service is about to stop. */
  stopping?: AbortSignal | undefined;
  /** Sends progress to clients that asked for it. */
  progress(state: { done: number; total: number; message: string }): Promise<void>;
}

/** A tool as an assistant sees it. */
export interface Tool<Input extends z.ZodType = z.ZodType> {
  name: string;
  title: string;
  /** Each word is in the context of every conversation. */
  description: string;
  input: Input;
  annotations: ToolAnnotations;
  /** Where to turn after a failure, by its status, as a sentence. */
  hints?: Partial<Record<string, string>>;
  run(input: z.output<Input>, context: ToolContext): Promise<Answer>;
}

/** Annotations of tools that change nothing. */
export const READS: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
/** Annotations of tools that add something. */
export const ADDS: ToolAnnotations = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

export const tool = <Input extends z.ZodType>(definition: Tool<Input>): Tool => definition as unknown as Tool;
