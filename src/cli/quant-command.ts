// Runs `slmbench quant` and prints its tables.
import { runQuant } from '../app/perf/quant/run-quant.ts';
import { renderQuantTerminal } from '../report/perf/render-quant.ts';
import { watchInterrupts } from './interrupt-signals.ts';
import { createProgressWriter, progressMode } from './progress-writer.ts';
import { shownCommandLine } from './run-options.ts';
import { outputStyle } from './terminal-style.ts';
import type { QuantFlags } from './verbs/quant.ts';

export async function quantCommand(flags: QuantFlags): Promise<number> {
  const progress = createProgressWriter(progressMode(flags));
  const interrupts = watchInterrupts();
  try {
    const result = await runQuant(
      {
        models: flags.models ?? [],
        from: flags.from ?? null,
        types: flags.types,
        textFile: flags.text ?? null,
        windowTokens: flags.window,
        maxWindows: flags.maxWindows ?? null,
        tasks: flags.datasets ?? [],
        samples: flags.maxSamples,
        repetitions: flags.repetitions,
        threads: flags.threads ?? null,
        gpuLayers: flags.gpuLayers ?? null,
        seed: flags.seed,
        name: flags.name ?? null,
        output: flags.output,
        offline: flags.offline === true,
        commandLine: shownCommandLine(process.argv.slice(2)),
      },
      { listener: progress.listener, signal: interrupts.finish },
    );
    progress.close();
    if (flags.json === true) process.stdout.write(`${JSON.stringify(result.quantisation, null, 2)}\n`);
    else {
      process.stdout.write(renderQuantTerminal(result.quantisation, outputStyle()));
      process.stdout.write(`\n${result.files.map((file) => `${file.what}: ${file.path}`).join('\n')}\n`);
    }
    return result.exitCode;
  } finally {
    progress.close();
    interrupts.dispose();
  }
}
