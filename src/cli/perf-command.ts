// Runs `slmbench perf`: progress on stderr, tables or JSON on stdout, then where the files are.
import { runPerf } from '../app/perf/run-perf.ts';
import { renderPerfTerminal } from '../report/perf/render-perf-terminal.ts';
import { watchInterrupts } from './interrupt-signals.ts';
import { toPerfRequest } from './perf-request-options.ts';
import { createProgressWriter, progressMode } from './progress-writer.ts';
import { shownCommandLine } from './run-options.ts';
import { outputStyle } from './terminal-style.ts';
import type { PerfFlags } from './verbs/perf.ts';

export async function perfCommand(flags: PerfFlags): Promise<number> {
  const request = toPerfRequest(flags, shownCommandLine(process.argv.slice(2)));
  const progress = createProgressWriter(progressMode(flags));
  const interrupts = watchInterrupts();
  try {
    const result = await runPerf(request, { listener: progress.listener, signal: interrupts.finish });
    progress.close();
    if (flags.json === true) {
      process.stdout.write(`${JSON.stringify(result.performance, null, 2)}\n`);
      return result.exitCode;
    }
    process.stdout.write(renderPerfTerminal(result.performance, outputStyle()));
    process.stdout.write(`\n${result.files.map((file) => `${file.what}: ${file.path}`).join('\n')}\n`);
    const points = result.performance.subjects.flatMap((subject) => subject.points);
    for (const { label, requests } of points) {
      if (requests.failed > 0) process.stderr.write(`${label}: ${requests.failed} of ${requests.sent} failed\n`);
    }
    return result.exitCode;
  } finally {
    progress.close();
    interrupts.dispose();
  }
}
