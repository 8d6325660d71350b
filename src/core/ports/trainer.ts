// Trains a LoRA adapter. TypeScript owns recipe, data and prompts; a trainer only trains.
export interface TrainingExample {
  readonly id: string;
  /** Prompt text exactly as it is served, chat template applied. */
  readonly prompt: string;
  /** Supervised text: the answer with the template's end-of-turn marker. */
  readonly completion: string;
}

export interface TrainingProgress {
  readonly kind: 'setup' | 'step' | 'validation' | 'checkpoint' | 'alarm' | 'note';
  readonly step?: number | undefined;
  readonly totalSteps?: number | undefined;
  readonly loss?: number | null | undefined;
  readonly tokensPerSecond?: number | undefined;
  readonly etaSeconds?: number | undefined;
  readonly message?: string | undefined;
}

export interface TrainingOutcome {
  readonly adapterPath: string;
  readonly adapterDigest: string;
  /** Bytes of the adapter payload only. */
  readonly adapterSizeBytes: number;
  readonly globalSteps: number;
  readonly trainingLoss: number | null;
  readonly lossCurve: readonly { readonly step: number; readonly loss: number; readonly kind: 'train' | 'validation' }[];
  readonly bestStep: number | null;
  readonly supervisedTokens: number;
  readonly elapsedSeconds: number;
  readonly peakRssBytes: number | null;
  readonly peakGpuAllocatedBytes: number | null;
  readonly peakGpuReservedBytes: number | null;
  readonly packages: Readonly<Record<string, string>>;
  readonly diagnostics: Readonly<Record<string, number>>;
}

export interface Trainer {
  readonly kind: string;
  readonly train: (
    request: unknown,
    options: { readonly onProgress: (progress: TrainingProgress) => void; readonly signal?: AbortSignal },
  ) => Promise<TrainingOutcome>;
}
