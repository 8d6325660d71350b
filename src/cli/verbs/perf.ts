// `slmbench perf`: how fast a model answers here, alone and under load; `perf compare`, `perf calibrate`, `perf import`.
import { type Command, Option } from 'commander';
import { decimal, integer, list, repeated } from '../option-values.ts';
import type { SetExitCode } from '../verb-index.ts';

export interface PerfFlags {
  readonly models?: readonly string[];
  readonly adapter?: readonly string[];
  readonly users?: readonly string[];
  readonly rate?: readonly string[];
  readonly arrivals: 'poisson' | 'constant';
  readonly trace?: string;
  readonly traceSpeed: number;
  readonly slo?: string;
  readonly search?: 'users' | 'rate';
  readonly searchStart?: number;
  readonly searchMax: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly text?: string;
  readonly dataset?: string;
  readonly fixedLength?: boolean;
  readonly requests: number;
  readonly duration: number;
  readonly repetitions: number;
  readonly warmUp: number;
  readonly maxInFlight?: number;
  readonly allowCache?: boolean;
  readonly engine?: boolean;
  readonly load?: boolean;
  readonly depths?: readonly string[];
  readonly engineRepetitions: number;
  readonly threadSweep?: readonly string[];
  readonly batchSweep?: readonly string[];
  readonly rating?: readonly string[];
  readonly seed: number;
  readonly threads?: number;
  readonly gpuLayers?: number;
  readonly context?: number;
  readonly timeout: number;
  readonly profile?: boolean;
  readonly profileInterval: number;
  readonly name?: string;
  readonly output?: string;
  readonly fresh?: boolean;
  readonly offline?: boolean;
  readonly json?: boolean;
  readonly progress?: string;
  readonly quiet?: boolean;
  readonly markdown?: boolean;
}

const examples = `
Examples:
  slmbench perf -m smollm2-135m
  slmbench perf -m openai:qwen3@http://localhost:8080/v1 --users 1,4,16
  slmbench perf -m ollama:llama3.2:1b --rate 0.5,1,2 --slo ttft=500ms,tpot=50ms,p=95
  slmbench perf -m smollm2-135m --search users --slo ttft=800ms,p=95
  slmbench perf compare RUN RUN          slmbench perf compare -m A B --users 1
  slmbench perf calibrate                slmbench perf import llama-bench.json`;

function addPerfOptions(command: Command): Command {
  return command
    .option('-m, --models <ref...>', 'models, as for run', list)
    .option('--adapter <path[=scale]>', 'LoRA adapter for every model (repeatable)', repeated)
    .option('--users <n...>', 'users who each wait for their answer: one or several load points (1)', list)
    .option('--rate <r...>', 'requests per second, whatever the answers take: one or several load points', list)
    .addOption(new Option('--arrivals <kind>', 'spacing at --rate').choices(['poisson', 'constant']).default('poisson'))
    .option('--trace <file>', 'replay a trace (JSONL: atMs, promptTokens, outputTokens; or timestamp, input_length, output_length)')
    .option('--trace-speed <x>', 'replay x times as fast', decimal(0.001, 1e6), 1)
    .option('--slo <limits>', 'objective, e.g. ttft=500ms,tpot=50ms,p=95')
    .addOption(new Option('--search <what>', 'find the most users or the highest rate that meet --slo').choices(['users', 'rate']))
    .option('--search-start <x>', 'first load of the search (1)', decimal(0.001, 1e6))
    .option('--search-max <x>', 'highest load of the search', decimal(0.001, 1e6), 32)
    .option('--prompt-tokens <n>', 'tokens of each synthetic prompt', integer(1), 512)
    .option('--output-tokens <n>', 'tokens of each answer', integer(1), 128)
    .option('--text <set>', 'a built-in set of prompts: questions, rewriting, code')
    .option('-d, --dataset <name>', 'prompts of a task or data file')
    .option('--fixed-length', 'with --text or -d: answers run to --output-tokens')
    .option('-n, --requests <n>', 'requests of each load point and repetition', integer(1), 40)
    .option('--duration <s>', 'no request starts after this many seconds of a load point', decimal(0.1, 1e6), 120)
    .option('--repetitions <n>', 'measured phases of each load point', integer(1), 1)
    .option('--warm-up <rounds>', 'most warm-up rounds; they end when three agree (0: none)', integer(0), 6)
    .option('--max-in-flight <n>', 'with --rate: open requests at most; waits count from the schedule', integer(1))
    .option('--allow-cache', 'same prompt beginnings: measures with prompt caching')
    .option('--no-engine', 'no pp/tg figures of the embedded engine')
    .option('--no-load', 'only pp/tg figures of the embedded engine')
    .option('--depths <n...>', 'context depths of pp/tg (0,4096)', list)
    .option('--engine-repetitions <n>', 'repetitions of pp/tg', integer(1), 5)
    .option('--thread-sweep <n...>', 'pp/tg at these thread counts too', list)
    .option('--batch-sweep <n...>', 'pp/tg at these batch sizes too', list)
    .option('--rating <metric=good/fair>', 'limits of the words good, fair, poor, e.g. ttft=300/800 (repeatable)', repeated)
    .option('--seed <n>', 'seed of prompts and arrivals', integer(0), 42)
    .option('--threads <n>', 'engine threads (physical cores)', integer(1, 512))
    .option('--gpu-layers <n>', 'layers on the GPU', integer(0))
    .option('--context <n>', 'context of the engine in tokens', integer(1))
    .option('--timeout <s>', 'longest time of one request', decimal(0.1, 1e6), 300)
    .option('--no-profile', 'do not sample memory and CPU')
    .option('--profile-interval <ms>', 'sampling interval', integer(10), 100)
    .option('--name <text>', 'name of the run')
    .option('-o, --output <path>', 'x.json: write the record there; otherwise the folder that holds the run')
    .option('--fresh', 'measure everything anew even if an equal run is unfinished')
    .option('--offline', 'make no connection at all (servers included)')
    .option('--json', 'print the performance block as JSON')
    .option('--progress <mode>', 'tty, plain or ndjson')
    .option('-q, --quiet', 'no progress, only results');
}

export function register(command: Command, setExitCode: SetExitCode): void {
  addPerfOptions(command)
    .addHelpText('after', examples)
    .action(async (_: unknown, own: Command) => {
      const { perfCommand } = await import('../perf-command.ts');
      setExitCode(await perfCommand(own.optsWithGlobals<PerfFlags>()));
    });
  addPerfOptions(command.command('compare').description('compare two performance runs, or measure two models in A B B A blocks'))
    .argument('[run...]', 'finished performance runs: ids, folders or record files')
    .option('--margin <percent>', 'differences smaller than this do not matter', decimal(0.1, 100), 5)
    .option('--markdown', 'print Markdown')
    .action(async (runs: readonly string[], _: unknown, own: Command) => {
      const { perfCompareCommand } = await import('../perf-compare-command.ts');
      setExitCode(await perfCompareCommand(runs, own.optsWithGlobals<PerfFlags & { readonly margin: number }>()));
    });
  command
    .command('calibrate')
    .description('measure what this client can take from a built-in mock server, so that later runs know when they are near it')
    .action(async (_: unknown, own: Command) => {
      const { perfCalibrateCommand } = await import('../perf-calibrate-command.ts');
      setExitCode(await perfCalibrateCommand(own.optsWithGlobals<PerfFlags>()));
    });
  command
    .command('import')
    .argument('<file>', 'results of llama-bench (-o json), vllm bench serve, guidellm or aiperf')
    .description('read results of another tool, marking definitions that differ')
    .action(async (file: string, _: unknown, own: Command) => {
      const { perfImportCommand } = await import('../perf-import-command.ts');
      setExitCode(await perfImportCommand(file, own.optsWithGlobals<PerfFlags>()));
    });
}
