// What a load test sends: a number of prompts with their answer lengths, made ready before the first request goes out.
import type { LoadRequest } from '../generate-load.ts';
import type { WorkloadFacts } from '../perf-schema.ts';

export interface Workload {
  readonly facts: WorkloadFacts;
  /** Requests of one phase. `salt` is new for each phase and repetition, so that no prompt begins like an earlier one. */
  readonly prepare: (count: number, salt: string) => Promise<readonly LoadRequest[]>;
  /** Requests that it has (a trace); null: as many as asked for. */
  readonly length: number | null;
  /** Arrivals of a trace, ms. */
  readonly offsetsMs?: readonly number[] | undefined;
}
