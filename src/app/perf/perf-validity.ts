// Can the figures of a load point be trusted? Every known way in which they go wrong has a check, a limit and a sentence.
import type { Validity } from '../../core/record.ts';
import type { ClientFacts, HostFacts, ServerCounts, WarmUpFacts } from './perf-schema.ts';
import type { RequestResult } from './request-log.ts';
import { prefillRate } from './request-metrics.ts';
import { roundsInAgreement } from './warm-up.ts';

export const perfLimits = {
  /** Share of prompt tokens from a cache that makes figures doubtful, and worthless. */
  cachedShare: 0.01,
  cachedShareFatal: 0.1,
  /** Percent of one core that the client may use; its loop lag and send lag, ms. */
  clientCpuPercent: 80,
  loopLagMs: 20,
  sendLagMs: 20,
  ceilingShare: 0.5,
  /** Cores busy with other programs, as a share of all; share stolen by the hypervisor. */
  foreignShare: 0.1,
  stealShare: 0.02,
  clockStepMs: 250,
  /** Prompts that the server counts this much shorter than they are were cut. */
  truncatedShare: 0.05,
  truncatedSlackTokens: 8,
  shortOutputShare: 0.05,
  fewSamples: 30,
  tooFewSamples: 5,
  errorShare: 0.05,
  mismatchShare: 0.02,
} as const;

export interface ValidityInput {
  /** Requests in the steady windows. */
  readonly results: readonly RequestResult[];
  readonly client: ClientFacts;
  readonly host: HostFacts;
  readonly warmUp: WarmUpFacts;
  /** Speed fell by a step in the second half of a window. */
  readonly slowedDown: boolean;
  /** Answers were to be exactly as long as asked for. */
  readonly fixedLength: boolean;
  /** Prompt caching is what the test is about. */
  readonly cacheAllowed: boolean;
  /** The server's own counters beside ours; null where it has none. */
  readonly serverCounts: ServerCounts | null;
  /** No request failed, in the steady windows or outside them: what the server counted and what arrived must be equal. */
  readonly allAnswered: boolean;
}

interface Reason {
  readonly code: string;
  readonly message: string;
  readonly isFatal: boolean;
}

type Check = (input: ValidityInput, answered: readonly RequestResult[]) => Reason | null;

function doubt(code: string, message: string): Reason {
  return { code, message, isFatal: false };
}

function fatal(code: string, message: string): Reason {
  return { code, message, isFatal: true };
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`;
}

const errors: Check = ({ results }, answered) => {
  const failed = results.length - answered.length;
  if (results.length === 0) return fatal('too-few-samples', 'no request falls into the steady window');
  if (failed === 0) return null;
  const first = results.find(({ error }) => error !== null)!.error!.message;
  const message = `${failed} of ${results.length} requests failed (${commonest(results)}); the first: ${first}`;
  return failed / results.length > perfLimits.errorShare ? fatal('errors', message) : doubt('errors', message);
};

function commonest(results: readonly RequestResult[]): string {
  const counts = new Map<string, number>();
  for (const { error } of results) if (error !== null) counts.set(error.class, (counts.get(error.class) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
}

const samples: Check = (_, answered) => {
  if (answered.length < perfLimits.tooFewSamples) return fatal('too-few-samples', `the figures rest on ${answered.length} answers`);
  if (answered.length < perfLimits.fewSamples)
    return doubt('few-samples', `the figures rest on ${answered.length} answers; percentiles above the median mean little`);
  return null;
};

const cacheHits: Check = ({ cacheAllowed }, answered) => {
  if (cacheAllowed) return null;
  const known = answered.filter((result) => result.cachedTokens !== null && result.promptTokens !== null);
  const prompt = known.reduce((sum, result) => sum + result.promptTokens!, 0);
  const cached = known.reduce((sum, result) => sum + result.cachedTokens!, 0);
  if (prompt === 0 || cached / prompt <= perfLimits.cachedShare) return null;
  const message = `${percent(cached / prompt)} of the prompt tokens came from a cache: ttft and prompt rates are too good`;
  return cached / prompt > perfLimits.cachedShareFatal ? fatal('cache-hits', message) : doubt('cache-hits', message);
};

const truncatedPrompts: Check = (_, answered) => {
  const cut = answered.filter(
    ({ expectedPromptTokens: expected, promptTokens }) =>
      expected !== null &&
      promptTokens !== null &&
      promptTokens < expected * (1 - perfLimits.truncatedShare) - perfLimits.truncatedSlackTokens,
  );
  const first = cut[0];
  if (first === undefined) return null;
  return fatal(
    'truncated-prompts',
    `${cut.length} prompts were cut by the server: it counts ${first.promptTokens} of ${first.expectedPromptTokens} tokens`,
  );
};

const shortOutputs: Check = ({ fixedLength }, answered) => {
  const empty = answered.filter((result) => result.ttftMs === null).length;
  if (empty > answered.length * perfLimits.shortOutputShare)
    return fatal('empty-outputs', `${empty} of ${answered.length} answers are empty`);
  if (!fixedLength) return null;
  const short = answered.filter((result) => result.outputTokens !== null && result.outputTokens < result.wantedTokens).length;
  if (short <= answered.length * perfLimits.shortOutputShare) return null;
  return doubt(
    'short-outputs',
    `${short} of ${answered.length} answers ended before the wanted length: loads of different models are not equal`,
  );
};

const countMismatch: Check = (_, answered) => {
  const wrong = answered.filter(
    ({ outputTokens, wantedTokens, gapsMs, countSource }) =>
      outputTokens !== null &&
      (outputTokens > wantedTokens + 1 || (countSource !== 'chunks' && outputTokens < gapsMs.length + 1 && gapsMs.length > 0)),
  ).length;
  if (wrong <= answered.length * perfLimits.mismatchShare) return null;
  return doubt('count-mismatch', `in ${wrong} of ${answered.length} answers the token count contradicts the chunks or the limit`);
};

const countNames = { generatedTokens: 'generated tokens', promptTokens: 'prompt tokens', requests: 'requests' } as const;

/** After failures the server may have counted more than arrived, never less. */
const serverCounts: Check = ({ serverCounts: counts, allAnswered }) => {
  if (counts === null) return null;
  const wrong = (['requests', 'promptTokens', 'generatedTokens'] as const).flatMap((name) => {
    const [server, client] = [counts.server[name], counts.client[name]];
    if (server === null || client === null) return [];
    const difference = server - client;
    if (difference > 0 && !allAnswered) return [];
    if (Math.abs(difference) <= perfLimits.mismatchShare * Math.max(client, 1)) return [];
    return [`${server} ${countNames[name]} where ${client} arrived here`];
  });
  return wrong.length === 0
    ? null
    : doubt('count-mismatch', `the server counted ${wrong.join(', ')} (other clients, or counts that mean something else)`);
};

const estimatedCounts: Check = (_, answered) => {
  const estimated = answered.filter((result) => result.countSource === 'chunks' || result.countSource === 'none').length;
  return estimated === 0
    ? null
    : doubt('estimated-counts', `the server gave no token counts for ${estimated} of ${answered.length} answers; chunks were counted`);
};

/** A prompt time of the server that cannot be: far shorter than what the client waited with nothing else to wait for (L06). */
const prefillClock: Check = (_, answered) => {
  const odd = answered.filter(
    (result) => result.prefillMs !== null && result.prefillMs > 0 && result.ttftMs !== null && prefillRate(result)?.isBound === true,
  ).length;
  return odd > answered.length * perfLimits.mismatchShare
    ? doubt(
        'server-clock',
        `the server's prompt time contradicts the client's in ${odd} of ${answered.length} answers; the client's is used`,
      )
    : null;
};

const clientSaturated: Check = ({ client }) => {
  const faults: string[] = [];
  if (client.cpuPercent > perfLimits.clientCpuPercent) faults.push(`used ${client.cpuPercent.toFixed(0)} % of a core`);
  if (client.loopLagMs.p99 > perfLimits.loopLagMs) faults.push(`its loop lagged by ${client.loopLagMs.p99.toFixed(0)} ms (p99)`);
  if ((client.sendLagP99Ms ?? 0) > perfLimits.sendLagMs) faults.push(`sent requests ${client.sendLagP99Ms!.toFixed(0)} ms late (p99)`);
  if ((client.ceilingShare ?? 0) > perfLimits.ceilingShare)
    faults.push(`ran at ${percent(client.ceilingShare!)} of its calibrated ceiling`);
  return faults.length === 0 ? null : doubt('client-saturated', `the load generator ${faults.join(', ')}: latencies may be its own`);
};

const hostContended: Check = ({ host }) => {
  const faults: string[] = [];
  if ((host.foreignCores ?? 0) > perfLimits.foreignShare * host.cores)
    faults.push(`other programs used ${host.foreignCores!.toFixed(1)} of ${host.cores} cores`);
  if ((host.stealShare ?? 0) > perfLimits.stealShare) faults.push(`the hypervisor took ${percent(host.stealShare!)} of the time`);
  return faults.length === 0 ? null : doubt('host-contended', `${faults.join(', ')}: speeds are lower than this machine can do`);
};

const throttled: Check = ({ host, slowedDown }) => {
  if ((host.throttleEvents ?? 0) > 0) return doubt('throttled', `the CPU throttled itself ${host.throttleEvents} times for heat`);
  return slowedDown ? doubt('throttled', 'speed fell by a step during the measurement (heat, power limit or another program)') : null;
};

const clockStep: Check = ({ host }) =>
  Math.abs(host.clockStepMs) > perfLimits.clockStepMs
    ? doubt(
        'clock-step',
        `the wall clock jumped by ${host.clockStepMs.toFixed(0)} ms (or the machine slept); durations use the monotonic clock`,
      )
    : null;

const warmUp: Check = ({ warmUp: facts }) =>
  // Fewer rounds than must agree show nothing, neither level nor rising: `--warm-up 1` is the user's choice.
  facts.stable || facts.roundsMs.length < roundsInAgreement
    ? null
    : doubt('unstable-warm-up', `speed was not level after ${facts.requests} warm-up requests`);

const checks: readonly Check[] = [
  errors,
  samples,
  cacheHits,
  truncatedPrompts,
  shortOutputs,
  countMismatch,
  serverCounts,
  estimatedCounts,
  prefillClock,
  clientSaturated,
  hostContended,
  throttled,
  clockStep,
  warmUp,
];

export function judgePerf(input: ValidityInput): Validity {
  const answered = input.results.filter((result) => result.error === null);
  const reasons = checks.map((check) => check(input, answered)).filter((reason) => reason !== null);
  const verdict = reasons.some((reason) => reason.isFatal) ? 'invalid' : reasons.length > 0 ? 'suspect' : 'valid';
  return { verdict, reasons: reasons.map(({ code, message }) => ({ code, message })) };
}

/** The worst verdict of several, each reason once. */
export function joinValidity(parts: readonly Validity[]): Validity {
  const order = ['valid', 'suspect', 'invalid'] as const;
  const worst = parts.reduce((rank, part) => Math.max(rank, order.indexOf(part.verdict)), 0);
  const reasons = new Map(parts.flatMap((part) => part.reasons).map((reason) => [reason.code, reason]));
  return { verdict: order[worst]!, reasons: [...reasons.values()] };
}
