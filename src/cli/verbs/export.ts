// `slmbench export`: the specialised model for use elsewhere.
import { type Command, Option } from 'commander';
import type { ExportFlags } from '../evidence-command.ts';
import { addRecipeOptions } from '../recipe-options.ts';

export function register(command: Command): void {
  addRecipeOptions(command)
    .addOption(new Option('-k, --kind <name>', 'gguf (merged), safetensors (merged), adapter (GGUF) or modelfile (Ollama)').default('gguf'))
    .option('--type <name>', 'type of merged GGUF weights (F16)')
    .option('--to <dir>', 'folder that receives the export', 'export')
    .action(async (_: ExportFlags, command: Command) => {
      const { exportCommand } = await import('../evidence-command.ts');
      await exportCommand(command.optsWithGlobals<ExportFlags>());
    });
}
