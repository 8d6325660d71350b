// `slmbench recommend`: which model to take under constraints, and why.
import type { Command } from 'commander';
import { decimal, integer, list, repeated } from '../option-values.ts';

export interface RecommendFlags {
  readonly task?: readonly string[];
  readonly models?: readonly string[];
  readonly maxMemory?: string;
  readonly maxTtft?: string;
  readonly maxLatency?: string;
  readonly minAccuracy?: number;
  readonly minSpeed?: number;
  readonly licence?: string;
  readonly weight?: readonly string[];
  readonly run?: boolean;
  readonly maxSamples: number;
  readonly output?: string;
  readonly offline?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly progress?: string;
}

export function register(command: Command): void {
  command
    .option('-t, --task <name...>', 'tasks that matter: task, kind of task or group (default: those most models share)', list)
    .option('-m, --models <name...>', 'models to consider (default: all with records)', list)
    .option('--max-memory <size>', 'peak memory, e.g. 4GB')
    .option('--max-ttft <duration>', 'time to first token, e.g. 500ms')
    .option('--max-latency <duration>', 'time to the whole answer, e.g. 2s')
    .option('--min-accuracy <x>', 'lowest mean score, 0 to 1', decimal(0, 1))
    .option('--min-speed <x>', 'output tokens per second', decimal(0, 1e6))
    .option('--licence <name>', 'permissive, or part of a licence name')
    .option('--weight <aspect=x>', 'weight of quality, speed, latency or memory (repeatable)', repeated)
    .option('--run', 'measure the named models on the named tasks first')
    .option('-n, --max-samples <n>', 'items per task for --run (100)', integer(1), 100)
    .option('-o, --output <dir>', 'folder that holds the runs')
    .option('--offline', 'make no connection at all')
    .option('--json', 'print JSON')
    .option('--progress <mode>', 'tty, plain or ndjson')
    .option('-q, --quiet', 'no progress')
    .action(async (flags: RecommendFlags) => {
      const { recommendCommand } = await import('../recommend-command.ts');
      process.stdout.write(await recommendCommand(flags));
    });
}
