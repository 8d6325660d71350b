// `slmbench export`: the specialised model for use elsewhere.
import { type Command, Option } from 'commander';
import type { ExportFlags } from '../evidence-command.ts';
import { addStageOptions } from '../recipe-options.ts';

export function register(command: Command): void {
  addStageOptions(command)
    .addOption(new Option('-k, --kind <name>', 'gguf (merged), safetensors (merged), adapter (GGUF) or modelfile (Ollama)').default('gguf'))
    .option('--type <name>', 'type of merged GGUF weights: F32, F16, Q8_0, Q4_K_M, ... (F16)')
    .option('--compare', 'make merged F16 and Q4_K_M files and test them beside base and adapter on the held-out rows')
    .option('--to <dir>', 'folder that receives the export', 'export')
    .action(async (_: ExportFlags, command: Command) => {
      const { exportCommand } = await import('../evidence-command.ts');
      await exportCommand(command.optsWithGlobals<ExportFlags>());
    });
}
