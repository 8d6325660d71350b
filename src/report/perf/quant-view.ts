// What reports need of a `quantisation` block; the block itself has its schema in the app room.
import type { EngineRowView } from './perf-view.ts';

export interface QuantView {
  readonly reference: string;
  readonly text: { readonly name: string; readonly sha256: string; readonly windows: number | null; readonly windowTokens: number };
  readonly members: readonly {
    readonly model: string;
    readonly quantisation: string;
    readonly isReference: boolean;
    readonly origin: string;
    readonly sizeBytes: number;
    readonly bitsPerWeight: number;
    readonly tensorTypes: Readonly<Record<string, { readonly tensors: number; readonly elements: number; readonly bitsPerWeight: number }>>;
    readonly parameters: number;
    readonly notes: readonly string[];
    readonly speed: readonly EngineRowView[];
    readonly peakRssBytes: number | null;
    readonly fidelity: {
      readonly perplexity: number;
      readonly referencePerplexity: number;
      readonly logRatio: number;
      readonly logRatioError: number | null;
      readonly klMean: number;
      readonly klMeanError: number | null;
      readonly klMedian: number;
      readonly klP99: number;
      readonly klMax: number;
      readonly topAgreement: number;
      readonly topAgreementInterval: { readonly low: number; readonly high: number } | null;
      readonly tokens: number;
    } | null;
  }[];
  readonly tasks: readonly {
    readonly task: string;
    readonly metric: string;
    readonly results: readonly {
      readonly model: string;
      readonly value: number | null;
      readonly n: number;
      readonly difference: number | null;
      readonly interval: { readonly low: number; readonly high: number } | null;
      readonly adjustedP: number | null;
      readonly minimumDetectable: number | null;
      readonly verdict: string;
    }[];
  }[];
  readonly validity: { readonly verdict: string; readonly reasons: readonly { readonly message: string }[] };
}

/** The block of a record, checked by the room that writes it: here only its version is asked. */
export function quantViewOf(block: unknown): QuantView | null {
  const isKnown = typeof block === 'object' && block !== null && (block as { schema?: unknown }).schema === 'slmbench/quantisation/1';
  return isKnown ? (block as QuantView) : null;
}
