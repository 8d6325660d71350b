// `slmbench serve`: says what is served where, until it is interrupted.
import { serveTasks } from '../app/specialise/serve-tasks.ts';
import { ToolError } from '../core/errors.ts';
import { watchInterrupts } from './interrupt-signals.ts';
import { neutraliseForTerminal } from './neutralise-for-terminal.ts';
import type { ServeFlags } from './verbs/serve.ts';

export async function serveCommand(recipes: readonly string[], flags: ServeFlags): Promise<void> {
  const all = [...(flags.config === undefined ? [] : [flags.config]), ...recipes];
  if (all.length === 0) throw new ToolError('usage', 'no recipe was named', { hint: 'slmbench serve recipe.yml' });
  const { host, port, concurrency, queue, offline } = flags;
  const service = await serveTasks({
    recipes: all,
    assignments: flags.set,
    host,
    port,
    concurrency,
    queue,
    offline,
    token: process.env['SLMBENCH_TOKEN'],
    ...(flags.base === true ? { adapter: false } : {}),
  });
  const lines = service.tasks.map((task) => `  POST ${service.url}/tasks/${task.name}  (${task.inputs.join(', ')})  ${task.model}`);
  process.stdout.write(
    neutraliseForTerminal(`${lines.join('\n')}\n  POST ${service.url}/v1/chat/completions\n  GET  ${service.url}/health\n`),
  );
  const interrupts = watchInterrupts();
  try {
    await new Promise<void>((resolve) => interrupts.finish.addEventListener('abort', () => resolve(), { once: true }));
  } finally {
    await service.close();
    interrupts.dispose();
  }
}
