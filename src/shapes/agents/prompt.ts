import { z } from 'zod';
import { named } from '../named.ts';

/** A text for a model. The limit leaves room for the rest of the prompt. */
export const promptText = z.string().regex(/\S/, { error: 'must not be empty' }).max(50_000);

/** Fields that the caller of a run fills in and a prompt can refer to. */
export const userContextFields = z
  .array(
    named(
      'PromptField',
      z.looseObject({
        id: z.string().min(1).max(200),
        title: z.string().min(1).max(1_000),
        type: z.enum(['string', 'number', 'boolean']),
        example: z.string().max(1_000).optional(),
        defaultValue: z.union([z.string().max(1_000), z.number(), z.boolean()]).optional(),
      }),
    ),
  )
  .max(50)
  .optional();
