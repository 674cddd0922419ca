import * as z from 'zod';
import { checkSchema } from '../../core/plan/plan.ts';
import { worktreeSchema } from '../../core/plan/worktreeSettings.ts';
import { userKindsSchema } from '../agents/user/userKindSchema.ts';

const fields = {
  version: z.literal(1).describe('Version of the format: 1.'),
  gate: z
    .array(checkSchema)
    .optional()
    .describe('Checks that decide whether a lane passes, where the plan names none.'),
  worktree: worktreeSchema.optional().describe("What the lanes' worktrees are given besides their checkout."),
};

/** `agentkit.yaml`. Its kinds are read on their own, whoever says the gate. */
export const repositorySchema = z.strictObject({ ...fields, kinds: z.unknown().optional() });

/** JSON Schema of `agentkit.yaml`, for editors: draft 7, which YAML servers read. */
export function repositoryJsonSchema(): object {
  const kinds = userKindsSchema.nullish().describe('Kinds of agents that plans of this repository may name.');
  const whole = z.strictObject({ ...fields, kinds });
  return {
    title: 'AgentKit repository settings',
    ...z.toJSONSchema(whole, { io: 'input', target: 'draft-7' }),
  };
}
