// The GGUF vocabulary: value types, tensor types with their block layout, file types (ggml's gguf.md and ggml.h).

export const ggufMagic = 0x46554747; // "GGUF", little-endian

/** Metadata value types in the order of their ids. */
export const ggufValueTypes = ['u8', 'i8', 'u16', 'i16', 'u32', 'i32', 'f32', 'bool', 'string', 'array', 'u64', 'i64', 'f64'] as const;
export type GgufValueType = (typeof ggufValueTypes)[number];

/** Bytes of a fixed-size value; 0 for string and array. */
export const valueSizes: Readonly<Record<GgufValueType, number>> = {
  u8: 1,
  i8: 1,
  u16: 2,
  i16: 2,
  u32: 4,
  i32: 4,
  f32: 4,
  bool: 1,
  string: 0,
  array: 0,
  u64: 8,
  i64: 8,
  f64: 8,
};

export interface TensorLayout {
  readonly name: string;
  /** Weights in one block. */
  readonly blockSize: number;
  /** Bytes of one block. */
  readonly blockBytes: number;
}

const layout = (name: string, blockSize: number, blockBytes: number): TensorLayout => ({ name, blockSize, blockBytes });

/** Tensor types by ggml id; removed ids are absent. */
export const tensorLayouts: ReadonlyMap<number, TensorLayout> = new Map([
  [0, layout('F32', 1, 4)],
  [1, layout('F16', 1, 2)],
  [2, layout('Q4_0', 32, 18)],
  [3, layout('Q4_1', 32, 20)],
  [6, layout('Q5_0', 32, 22)],
  [7, layout('Q5_1', 32, 24)],
  [8, layout('Q8_0', 32, 34)],
  [9, layout('Q8_1', 32, 36)],
  [10, layout('Q2_K', 256, 84)],
  [11, layout('Q3_K', 256, 110)],
  [12, layout('Q4_K', 256, 144)],
  [13, layout('Q5_K', 256, 176)],
  [14, layout('Q6_K', 256, 210)],
  [15, layout('Q8_K', 256, 292)],
  [16, layout('IQ2_XXS', 256, 66)],
  [17, layout('IQ2_XS', 256, 74)],
  [18, layout('IQ3_XXS', 256, 98)],
  [19, layout('IQ1_S', 256, 50)],
  [20, layout('IQ4_NL', 32, 18)],
  [21, layout('IQ3_S', 256, 110)],
  [22, layout('IQ2_S', 256, 82)],
  [23, layout('IQ4_XS', 256, 136)],
  [24, layout('I8', 1, 1)],
  [25, layout('I16', 1, 2)],
  [26, layout('I32', 1, 4)],
  [27, layout('I64', 1, 8)],
  [28, layout('F64', 1, 8)],
  [29, layout('IQ1_M', 256, 56)],
  [30, layout('BF16', 1, 2)],
  [34, layout('TQ1_0', 256, 54)],
  [35, layout('TQ2_0', 256, 66)],
  [39, layout('MXFP4', 32, 17)],
]);

/** ggml id of a tensor type name. */
export const tensorTypeIds: ReadonlyMap<string, number> = new Map([...tensorLayouts].map(([id, { name }]) => [name, id]));

/** Names of `general.file_type` (llama.h, enum llama_ftype). */
export const fileTypeNames: ReadonlyMap<number, string> = new Map([
  [0, 'F32'],
  [1, 'F16'],
  [2, 'Q4_0'],
  [3, 'Q4_1'],
  [7, 'Q8_0'],
  [8, 'Q5_0'],
  [9, 'Q5_1'],
  [10, 'Q2_K'],
  [11, 'Q3_K_S'],
  [12, 'Q3_K_M'],
  [13, 'Q3_K_L'],
  [14, 'Q4_K_S'],
  [15, 'Q4_K_M'],
  [16, 'Q5_K_S'],
  [17, 'Q5_K_M'],
  [18, 'Q6_K'],
  [19, 'IQ2_XXS'],
  [20, 'IQ2_XS'],
  [21, 'Q2_K_S'],
  [22, 'IQ3_XS'],
  [23, 'IQ3_XXS'],
  [24, 'IQ1_S'],
  [25, 'IQ4_NL'],
  [26, 'IQ3_S'],
  [27, 'IQ3_M'],
  [28, 'IQ2_S'],
  [29, 'IQ2_M'],
  [30, 'IQ4_XS'],
  [31, 'IQ1_M'],
  [32, 'BF16'],
  [36, 'TQ1_0'],
  [37, 'TQ2_0'],
  [38, 'MXFP4_MOE'],
]);
