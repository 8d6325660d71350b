// The stages of a benchmark, in order; a file of its own so that help texts load nothing else.
export const stageNames = ['train', 'test', 'score', 'render'] as const;
export type StageName = (typeof stageNames)[number];
