// Converts a PEFT LoRA adapter (adapter_config.json and adapter_model.safetensors) into the GGUF adapter that llama.cpp loads.
import { z } from 'zod';
import { messageOf, ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';
import { type GgufPair, type GgufTensorInput, writeGguf } from './gguf-writer.ts';
import { floatsOf, readSafetensors, type SafetensorEntry } from './safetensors.ts';

export interface LoraBase {
  /** `general.architecture` of the base model. */
  readonly architecture: string;
  readonly heads: number;
  readonly keyValueHeads: number;
}

export interface LoraConversion {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly rank: number;
  /** alpha / rank as llama.cpp will apply it. */
  readonly scaling: number;
  readonly pairs: number;
}

/** Fields of PEFT's config that decide the conversion; the others are free. */
const configSchema = z.object({
  peft_type: z.literal('LORA'),
  r: z.number().int().positive(),
  lora_alpha: z.number(),
  use_rslora: z.boolean().nullish(),
  use_dora: z.boolean().nullish(),
  bias: z.string().nullish(),
  fan_in_fan_out: z.boolean().nullish(),
  modules_to_save: z.array(z.string()).nullish(),
  rank_pattern: z.record(z.string(), z.unknown()).nullish(),
  alpha_pattern: z.record(z.string(), z.unknown()).nullish(),
});

/** Linear layers of PyTorch models and their names in GGUF. */
const moduleNames: Readonly<Record<string, string>> = {
  'self_attn.q_proj': 'attn_q',
  'self_attn.k_proj': 'attn_k',
  'self_attn.v_proj': 'attn_v',
  'self_attn.o_proj': 'attn_output',
  'mlp.gate_proj': 'ffn_gate',
  'mlp.up_proj': 'ffn_up',
  'mlp.down_proj': 'ffn_down',
};

/** Whether the GGUF base stores query and key rows in rotary-pair order, by architecture. */
const permutesRotary: Readonly<Record<string, boolean>> = {
  llama: true,
  smollm3: true,
  granite: true,
  gemma: false,
  gemma2: false,
  gemma3: false,
  qwen2: false,
  qwen3: false,
};

/** What keeps an adapter of these settings out of a GGUF file, in words; null where nothing does. An unknown architecture (null) may do. */
export function loraObstacle(settings: { readonly dora: boolean; readonly bias: string }, architecture: string | null): string | null {
  if (settings.dora) return 'a DoRA adapter';
  if (settings.bias !== 'none') return `an adapter with trained biases (bias: "${settings.bias}")`;
  if (architecture !== null && permutesRotary[architecture] === undefined) return `an adapter of the architecture "${architecture}"`;
  return null;
}

/**
 * GGUF bytes of a LoRA adapter.
 * @param type precision of the written tensors
 * @throws ToolError `unsupported` (DoRA, biases, saved modules, other layers or architectures) or `integrity`
 */
export function loraToGguf(configText: string, weights: Uint8Array, base: LoraBase, type: 'F32' | 'F16' = 'F16'): LoraConversion {
  const config = parseConfig(configText);
  const permutes = permutesRotary[base.architecture];
  if (permutes === undefined) {
    throw new ToolError('unsupported', `LoRA conversion for the architecture "${base.architecture}" is not known`, {
      hint: suggestName(base.architecture, Object.keys(permutesRotary)),
    });
  }
  const tensors = readSafetensors(weights, 'adapter_model.safetensors').tensors;
  const layers = layersOf(tensors, config.r);
  const converted = layers.flatMap(({ block, module, a, b }) => {
    const name = `blk.${block}.${module}.weight`;
    const heads = module === 'attn_q' ? base.heads : base.keyValueHeads;
    const isRotary = module === 'attn_q' || module === 'attn_k';
    const up = permutes && isRotary ? permuteRows(floatsOf(b), b.shape[0]!, heads, name) : floatsOf(b);
    const tensor = (suffix: string, shape: readonly number[], data: Float32Array): GgufTensorInput => ({
      name: `${name}.${suffix}`,
      dimensions: [...shape].reverse(),
      type,
      data,
    });
    return [tensor('lora_a', a.shape, floatsOf(a)), tensor('lora_b', b.shape, up)];
  });
  // llama.cpp divides by the rank; rank-stabilised LoRA divides by its root.
  const alpha = config.use_rslora === true ? config.lora_alpha * Math.sqrt(config.r) : config.lora_alpha;
  const pairs: GgufPair[] = [
    { key: 'general.architecture', type: 'string', value: base.architecture },
    { key: 'general.type', type: 'string', value: 'adapter' },
    { key: 'adapter.type', type: 'string', value: 'lora' },
    { key: 'adapter.lora.alpha', type: 'f32', value: alpha },
  ];
  return { bytes: writeGguf(pairs, converted), rank: config.r, scaling: alpha / config.r, pairs: layers.length };
}

function parseConfig(text: string): z.infer<typeof configSchema> {
  let config: z.infer<typeof configSchema>;
  try {
    config = configSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new ToolError('integrity', `adapter_config.json is not a LoRA configuration: ${messageOf(cause)}`, { cause });
  }
  const refused: readonly [boolean, string][] = [
    [config.use_dora === true, 'DoRA'],
    [(config.bias ?? 'none') !== 'none', `trained biases (bias: "${config.bias}")`],
    [config.fan_in_fan_out === true, 'fan_in_fan_out'],
    [(config.modules_to_save ?? []).length > 0, 'fully trained modules (modules_to_save)'],
    [Object.keys(config.rank_pattern ?? {}).length > 0, 'ranks by module (rank_pattern)'],
    [Object.keys(config.alpha_pattern ?? {}).length > 0, 'alphas by module (alpha_pattern)'],
  ];
  const reason = refused.find(([holds]) => holds)?.[1];
  if (reason !== undefined) throw new ToolError('unsupported', `the adapter uses ${reason}, which a GGUF adapter cannot hold`);
  return config;
}

interface LoraLayer {
  readonly block: number;
  readonly module: string;
  readonly a: SafetensorEntry;
  readonly b: SafetensorEntry;
}

const keyPattern = /(?:^|\.)layers\.(\d+)\.([a-z_]+\.[a-z_]+)\.lora_([AB])(?:\.default)?\.weight$/u;

/** Pairs of A (rank x in) and B (out x rank), by layer, then in the order of the module table. */
function layersOf(tensors: ReadonlyMap<string, SafetensorEntry>, rank: number): LoraLayer[] {
  const found = new Map<string, { block: number; module: string; A?: SafetensorEntry; B?: SafetensorEntry }>();
  for (const tensor of tensors.values()) {
    const match = keyPattern.exec(tensor.name);
    const module = match === null ? undefined : moduleNames[match[2]!];
    if (match === null || module === undefined) {
      throw new ToolError('unsupported', `the adapter changes ${JSON.stringify(tensor.name)}, which cannot be converted`, {
        hint: `convertible: ${Object.keys(moduleNames).join(', ')}`,
      });
    }
    const key = `${match[1]}.${module}`;
    const layer = found.get(key) ?? { block: Number(match[1]), module };
    layer[match[3] as 'A' | 'B'] = tensor;
    found.set(key, layer);
  }
  if (found.size === 0) throw new ToolError('integrity', 'the adapter holds no LoRA weights');
  const order = Object.values(moduleNames);
  return [...found.values()]
    .map((layer) => checkedLayer(layer, rank))
    .sort((left, right) => left.block - right.block || order.indexOf(left.module) - order.indexOf(right.module));
}

function checkedLayer(layer: { block: number; module: string; A?: SafetensorEntry; B?: SafetensorEntry }, rank: number): LoraLayer {
  const { block, module, A: a, B: b } = layer;
  const name = `layer ${block} ${module}`;
  if (a === undefined || b === undefined) throw new ToolError('integrity', `the adapter lacks half of ${name}`);
  if (a.shape.length !== 2 || b.shape.length !== 2 || a.shape[0] !== rank || b.shape[1] !== rank) {
    throw new ToolError('integrity', `${name}: shapes ${a.shape.join(' x ')} and ${b.shape.join(' x ')} do not fit rank ${rank}`);
  }
  return { block, module, a, b };
}

/** Interleaves the two halves of each head's rows: row (head, half, i) goes to (head, i, half). */
function permuteRows(values: Float32Array, rows: number, heads: number, name: string): Float32Array {
  const headRows = rows / heads;
  if (!Number.isInteger(headRows) || headRows % 2 !== 0) {
    throw new ToolError('integrity', `${name}: ${rows} rows do not divide into ${heads} heads`, {
      hint: 'is this adapter for another base model?',
    });
  }
  const columns = values.length / rows;
  const pairs = headRows / 2;
  const permuted = new Float32Array(values.length);
  for (let row = 0; row < rows; row++) {
    const head = Math.floor(row / headRows);
    const inHead = row % headRows;
    const target = head * headRows + (inHead % pairs) * 2 + Math.floor(inHead / pairs);
    permuted.set(values.subarray(row * columns, (row + 1) * columns), target * columns);
  }
  return permuted;
}
