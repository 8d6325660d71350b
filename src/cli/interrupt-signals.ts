// Ctrl-C twice: the first asks to finish what is in flight, the second to stop now. SIGTERM counts as the first.
export interface InterruptSignals {
  /** Aborted at the first signal. */
  readonly finish: AbortSignal;
  /** Aborted at the second signal. */
  readonly stop: AbortSignal;
  readonly dispose: () => void;
}

let firstSignal: NodeJS.Signals | undefined;

/** Exit code as the system tells it: an interrupted command (130) that SIGTERM asked to end says 143. */
export function exitCodeBySignal(code: number): number {
  return code === 130 && firstSignal === 'SIGTERM' ? 143 : code;
}

export function watchInterrupts(): InterruptSignals {
  const finish = new AbortController();
  const stop = new AbortController();
  const onSignal = (signal: NodeJS.Signals) => {
    firstSignal ??= signal;
    if (finish.signal.aborted) stop.abort();
    else finish.abort();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    finish: finish.signal,
    stop: stop.signal,
    dispose: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}
