// `slmbench submit`: prints the id of the run.
import { submitTo } from '../app/distributed/run-on-database.ts';
import { createProgressWriter, progressMode } from './progress-writer.ts';
import { shownCommandLine, toEvaluationRequest } from './run-options.ts';
import type { SubmitFlags } from './verbs/submit.ts';

export async function submitCommand(flags: SubmitFlags): Promise<number> {
  const progress = createProgressWriter(progressMode(flags));
  const request = toEvaluationRequest(flags, shownCommandLine(process.argv.slice(2)));
  const { priority, chunkSeconds: targetSeconds, chunkSamples: samples } = flags;
  try {
    const {
      runId,
      joined,
      chunks,
      samples: open,
    } = await submitTo(flags.database, request, { priority, targetSeconds, samples }, progress.listener);
    progress.close();
    if (flags.json === true) process.stdout.write(`${JSON.stringify({ run: runId, joined, chunks, samples: open })}\n`);
    else process.stdout.write(joined ? `joined run ${runId}\n` : `submitted run ${runId}: ${open} samples in ${chunks} chunks\n`);
    return 0;
  } finally {
    progress.close();
  }
}
