// Keeps the loaded model of a worker between chunks: loading is the dearest part of a small chunk.
import type { Backend } from '../../core/ports/backend.ts';
import type { ModelRequest } from '../../core/task.ts';

export interface KeptModel {
  readonly backend: Backend;
  /** Request kinds that it is warm for. */
  readonly warm: Set<ModelRequest['kind']>;
}

export interface ModelKeeper {
  /** Queue of the loaded model, or null. */
  readonly loaded: () => string | null;
  /** The model of this queue; another one is closed first, so that two never share the memory. */
  readonly get: (queue: string, open: () => Promise<Backend>) => Promise<KeptModel>;
  readonly close: () => Promise<void>;
}

/** A view of a model whose `close` leaves it loaded. */
function kept(backend: Backend): Backend {
  return {
    specificationVersion: backend.specificationVersion,
    get identity() {
      return backend.identity;
    },
    model: backend.model,
    capabilities: backend.capabilities,
    load: backend.load,
    generate: (request, options) => backend.generate(request, options),
    score: (request, options) => backend.score(request, options),
    rolling: (request, options) => backend.rolling(request, options),
    render: (prompt) => backend.render(prompt),
    bench: (request, options) => backend.bench(request, options),
    processIds: () => backend.processIds(),
    processesOutliveClose: true,
    close: async () => undefined,
  };
}

export function openModelKeeper(): ModelKeeper {
  let current: { readonly queue: string; readonly backend: Backend; readonly model: KeptModel } | null = null;
  async function close(): Promise<void> {
    const closing = current;
    current = null;
    await closing?.backend.close();
  }
  return {
    loaded: () => current?.queue ?? null,
    get: async (queue, open) => {
      if (current?.queue === queue) return current.model;
      await close();
      const backend = await open();
      current = { queue, backend, model: { backend: kept(backend), warm: new Set() } };
      return current.model;
    },
    close,
  };
}
