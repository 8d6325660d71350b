// Makes the chosen workload ready for one opened model.
import type { Backend } from '../../core/ports/backend.ts';
import type { Workspace } from '../workspace.ts';
import type { PerfRequest } from './perf-request.ts';
import { datasetPrompts } from './workload/dataset-prompts.ts';
import { promptWorkload, textSetPrompts } from './workload/prompt-workload.ts';
import { syntheticWorkload } from './workload/synthetic-workload.ts';
import { traceWorkload } from './workload/trace-workload.ts';
import type { Workload } from './workload/workload.ts';

export async function openWorkload(
  request: PerfRequest,
  backend: Backend,
  workspace: Workspace,
  onNote: (message: string) => void,
): Promise<Workload> {
  const { workload, seed } = request;
  const uniquePrefix = !request.cacheAllowed;
  switch (workload.kind) {
    case 'synthetic':
      return syntheticWorkload({ backend, promptTokens: workload.promptTokens, outputTokens: workload.outputTokens, seed, uniquePrefix });
    case 'text': {
      const { name, outputTokens, fixedLength } = workload;
      return promptWorkload({ kind: 'text', name, prompts: textSetPrompts(name), backend, outputTokens, seed, uniquePrefix, fixedLength });
    }
    case 'dataset': {
      const { name, outputTokens, fixedLength } = workload;
      const prompts = await datasetPrompts({ name, samples: request.requests, seed, chat: backend.capabilities.chat, workspace, onNote });
      return promptWorkload({ kind: 'dataset', name, prompts, backend, outputTokens, seed, uniquePrefix, fixedLength });
    }
    case 'trace':
      return traceWorkload({ path: workload.path, backend, seed, speed: workload.speed });
  }
}
