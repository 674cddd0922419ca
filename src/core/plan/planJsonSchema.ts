import * as z from 'zod';
import { planSchema } from './plan.ts';

/** JSON Schema of plan files, for editors: draft 7, which YAML servers read. */
export function planJsonSchema(): object {
  return { title: 'AgentKit plan', ...z.toJSONSchema(planSchema, { io: 'input', target: 'draft-7' }) };
}
