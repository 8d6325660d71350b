// `slmbench gate`: fails a build when a run is worse than its limits allow, on evidence only.
import type { Command } from 'commander';
import { repeated } from '../option-values.ts';
import type { SetExitCode } from '../verb-index.ts';

export interface GateFlags {
  readonly baseline?: string;
  readonly maxDrop?: readonly string[];
  readonly maxRatio?: readonly string[];
  readonly minRatio?: readonly string[];
  readonly min?: readonly string[];
  readonly max?: readonly string[];
  readonly strict?: boolean;
  readonly junit?: string;
  readonly summary?: string;
  readonly annotations?: boolean;
  readonly output?: string;
  readonly json?: boolean;
}

const notes = `
A limit is missed when the whole interval of the figure lies beyond it, and kept when the whole interval lies within it.
Between the two there is "not enough data": a warning and exit code 0, or 3 with --strict. Exit code 3: the gate is missed.
Limits may name one task: arc-easy/accuracy=1pp. Speed and memory: ttft, ttfa, tpot, latency, decode, memory.
Runs of "slmbench perf" also: e2e, prefill, throughput and every metric of the record, at one load with "4 users/ttft=200".`;

export function register(command: Command, setExitCode: SetExitCode): void {
  command
    .argument('<run>', 'run id, folder or record file')
    .option('--baseline <run>', 'run or record file to compare with')
    .option('--max-drop <metric=amount>', 'how much worse a metric may be: accuracy=1pp, f1=0.02, perplexity=2% (repeatable)', repeated)
    .option('--max-ratio <metric=ratio>', 'how much larger: ttft=1.1, memory=1.2 (repeatable)', repeated)
    .option('--min-ratio <metric=ratio>', 'how much smaller: decode=0.9 (repeatable)', repeated)
    .option('--min <metric=value>', 'lowest value: f1=0.9, accuracy=80% (repeatable)', repeated)
    .option('--max <metric=value>', 'highest value: perplexity=25, ttft=200 in ms (repeatable)', repeated)
    .option('--strict', 'too little data misses the gate as well')
    .option('--junit <file>', 'write a JUnit report')
    .option('--summary <file>', 'append Markdown there (default: $GITHUB_STEP_SUMMARY)')
    .option('--annotations', 'print GitHub annotations (default: in GitHub Actions)')
    .option('-o, --output <dir>', 'folder that holds the runs')
    .option('--json', 'print JSON')
    .addHelpText('after', notes)
    .action(async (run: string, flags: GateFlags) => {
      const { gateCommand } = await import('../gate-command.ts');
      setExitCode(await gateCommand(run, flags));
    });
}
