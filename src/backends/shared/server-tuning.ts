// How a server is asked, beside the model's own settings: what a load test changes and an evaluation leaves alone.
import type { Patience } from './ask-patiently.ts';
import type { Timeouts } from './server-connection.ts';

export interface ServerTuning {
  /** @default three retries, from 250 ms */
  readonly patience?: Partial<Patience> | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
  /** False: requests go out at once, whatever the server says (load tests bring their own schedule). @default true */
  readonly adaptive?: boolean | undefined;
  /** False: the server must not reuse a prompt prefix (llama-server `cache_prompt`). @default true, false when deterministic */
  readonly promptCache?: boolean | undefined;
  /** False: scoring is not probed, and then refused. @default true */
  readonly probeScoring?: boolean | undefined;
  /** Ollama: other models leave memory before this one is loaded. @default true */
  readonly alone?: boolean | undefined;
  /** More fields of every request body, e.g. `{ ignore_eos: true }`; they win over our own. */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
  /** @default process.env */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

/** For load tests: a refusal is a result, no request waits on our side, and no prompt cache shortens a prefill. */
export const loadTestTuning: ServerTuning = {
  patience: { retries: 0, overloadRetries: 0 },
  adaptive: false,
  promptCache: false,
  probeScoring: false,
};
