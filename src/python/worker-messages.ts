// What the Python worker writes, one JSON object a line; checked on arrival.
import { z } from 'zod';

export const workerErrorSchema = z.object({ code: z.string(), message: z.string(), hint: z.string().nullish() });

export const workerMessageSchema = z.union([
  z.object({ ready: z.literal(true), python: z.string(), pid: z.number().int() }),
  z.object({ id: z.number().int(), event: z.record(z.string(), z.unknown()) }),
  z.object({ id: z.number().int(), result: z.unknown() }),
  z.object({ id: z.number().int(), error: workerErrorSchema }),
]);
export type WorkerMessage = z.infer<typeof workerMessageSchema>;
export type WorkerFailure = z.infer<typeof workerErrorSchema>;
