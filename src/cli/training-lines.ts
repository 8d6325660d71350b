// Training progress as lines between the progress of runs: step, loss, speed and time left, at most one line in five seconds.
import type { EventListener } from '../core/events.ts';
import type { TrainingProgress } from '../core/ports/trainer.ts';
import { clockText } from './progress-writer.ts';

const everyMs = 5000;

function lineOf(progress: TrainingProgress): string {
  const { kind, step, totalSteps, loss, tokensPerSecond, etaSeconds, message } = progress;
  const parts = [
    kind === 'validation' ? 'validation' : 'training',
    step === undefined ? null : `step ${step}${totalSteps === undefined ? '' : ` of ${totalSteps}`}`,
    loss === undefined || loss === null ? null : `loss ${loss.toFixed(4)}`,
    tokensPerSecond === undefined ? null : `${Math.round(tokensPerSecond)} tok/s`,
    etaSeconds === undefined ? null : `${clockText(etaSeconds)} left`,
    message ?? null,
  ];
  return parts.filter((part) => part !== null).join(', ');
}

/** Passes every event on; training events are followed by a readable line. */
export function withTrainingLines(listener: EventListener): EventListener {
  let lastMs = Number.NEGATIVE_INFINITY;
  return (event) => {
    listener(event);
    if (event.kind !== 'training') return;
    const progress = event.progress as TrainingProgress;
    const now = performance.now();
    const isLast = progress.step !== undefined && progress.step === progress.totalSteps;
    if (progress.kind === 'checkpoint' || (progress.kind === 'step' && !isLast && now - lastMs < everyMs)) return;
    lastMs = now;
    const message = lineOf(progress);
    listener(progress.kind === 'alarm' ? { kind: 'warning', at: event.at, message } : { kind: 'note', at: event.at, message });
  };
}
