// `slmbench quant`: what quantisation costs in quality and saves in size and time.
import type { Command } from 'commander';
import { integer, list } from '../option-values.ts';
import type { SetExitCode } from '../verb-index.ts';

export interface QuantFlags {
  readonly models?: readonly string[];
  readonly from?: string;
  readonly types: readonly string[];
  readonly text?: string;
  readonly window: number;
  readonly maxWindows?: number;
  readonly datasets?: readonly string[];
  readonly maxSamples: number;
  readonly repetitions: number;
  readonly threads?: number;
  readonly gpuLayers?: number;
  readonly seed: number;
  readonly name?: string;
  readonly output?: string;
  readonly offline?: boolean;
  readonly json?: boolean;
  readonly progress?: string;
  readonly quiet?: boolean;
}

const defaultTypes = ['Q8_0', 'Q6_K', 'Q5_K_M', 'Q4_K_M', 'Q3_K_M', 'Q2_K'];

export function register(command: Command, setExitCode: SetExitCode): void {
  command
    .option('-m, --models <ref...>', 'quantisations of one model, the reference first: files, registry names, hf:owner/repo:QUANT', list)
    .option('--from <ref>', 'make the quantisations here from this model, which is the reference')
    .option('--types <type...>', `with --from: which ones (${defaultTypes.join(',')})`, list)
    .option('--text <file>', 'text that fidelity is measured on (default: built-in documents)')
    .option('--window <n>', 'tokens of each window; its second half is scored', integer(8), 512)
    .option('--max-windows <n>', 'windows at most (all)', integer(1))
    .option('-d, --datasets <name...>', 'tasks whose results are compared with those of the reference', list)
    .option('-n, --max-samples <n>', 'items of each task', integer(1), 100)
    .option('--repetitions <n>', 'repetitions of pp512 and tg128 (0: no speed)', integer(0), 3)
    .option('--threads <n>', 'engine threads (physical cores)', integer(1, 512))
    .option('--gpu-layers <n>', 'layers on the GPU', integer(0))
    .option('--seed <n>', 'seed of samples', integer(0), 42)
    .option('--name <text>', 'name of the run')
    .option('-o, --output <dir>', 'folder that holds the runs')
    .option('--offline', 'make no connection at all')
    .option('--json', 'print the quantisation block as JSON')
    .option('--progress <mode>', 'tty, plain or ndjson')
    .option('-q, --quiet', 'no progress, only results')
    .action(async (flags: Omit<QuantFlags, 'types'> & { readonly types?: readonly string[] }) => {
      const { quantCommand } = await import('../quant-command.ts');
      setExitCode(await quantCommand({ ...flags, types: flags.types ?? defaultTypes }));
    });
}
