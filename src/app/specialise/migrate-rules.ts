// How the declarative keys of LMTask configurations are called in a recipe; what is not here cannot be carried.

/** Target path in the recipe, with a change of the value where the two differ. */
export interface MigrationRule {
  readonly to: string;
  readonly convert?: ((value: unknown) => unknown) | undefined;
}

const to = (path: string, convert?: (value: unknown) => unknown): MigrationRule => ({ to: path, convert });

/** A name as recipes write it. */
export function recipeName(value: unknown): string {
  const name = String(value)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|-+$/g, '');
  return name === '' ? 'unnamed' : name;
}

const hub = (value: unknown) => `hf:${String(value)}`;
const schedules: Readonly<Record<string, string>> = { cosine: 'cosine', linear: 'linear', constant: 'constant' };
const generation: Readonly<Record<string, MigrationRule>> = {
  do_sample: to('generation.temperature', (value) => (value === false ? 0 : undefined)),
  max_new_tokens: to('generation.maxTokens'),
  temperature: to('generation.temperature', (value) => value ?? undefined),
  top_p: to('generation.topP', (value) => value ?? undefined),
  top_k: to('generation.topK', (value) => value ?? undefined),
  stop_strings: to('generation.stop', (value) => (Array.isArray(value) ? value : [value])),
};

/** By section and key, as specialise.md of LMTask's documentation lists them. */
export const sectionRules: Readonly<Record<string, Readonly<Record<string, MigrationRule>>>> = {
  lmtask_dataset: {
    dataset_name: to('dataset.name', recipeName),
    model_name: to('model.name', recipeName),
    model_desc: to('model.title'),
  },
  lmtask_default: { instruct_model_id: to('model.weights', hub), base_model_id: to('model.weights', hub) },
  lmtask_model_args: { dtype: to('training.dtype', (value) => String(value).replace(/^torch\./, '')) },
  lmtask_model_generate_instruct_args: generation,
  lmtask_model_generate_base_args: generation,
  lmtask_trainer_default: { max_seq_length: to('training.maxLength') },
  lmtask_trainer_hf_peft: {
    r: to('training.lora.rank'),
    lora_alpha: to('training.lora.alpha'),
    lora_dropout: to('training.lora.dropout'),
    bias: to('training.lora.bias'),
    target_modules: to('training.lora.targetModules'),
    use_rslora: to('training.lora.rsLora'),
    use_dora: to('training.lora.dora'),
  },
  lmtask_trainer_hf_training_arguments: {
    num_train_epochs: to('training.epochs'),
    max_steps: to('training.maxSteps', (value) => (Number(value) > 0 ? value : undefined)),
    max_length: to('training.maxLength'),
    per_device_train_batch_size: to('training.batchSize'),
    gradient_accumulation_steps: to('training.gradientAccumulation'),
    gradient_checkpointing: to('training.gradientCheckpointing'),
    learning_rate: to('training.learningRate', Number),
    lr_scheduler_type: to('training.schedule', (value) => schedules[String(value)]),
    warmup_ratio: to('training.warmupRatio'),
    weight_decay: to('training.weightDecay'),
    max_grad_norm: to('training.maxGradientNorm'),
    logging_steps: to('training.loggingSteps'),
    save_steps: to('training.checkpointSteps'),
    eval_steps: to('training.validationSteps'),
    seed: to('seeds', (value) => [value]),
  },
  lmtask_trainer_hf_eval_arguments: { eval_steps: to('training.validationSteps') },
  lmtask_benchmark_metrics: {
    label_column: to('dataset.label'),
    labels: to('task.labels'),
    primary_metric: to('task.primaryMetric'),
    primary_average: to('task.primaryMetric'),
  },
  lmtask_benchmark: { task_name: to('task.title'), model_name: to('model.title') },
};

/** Keys that need no place in a recipe, with the reason. */
export const needless: Readonly<Record<string, string>> = {
  output_dir: 'folders follow from dataset and model name',
  result_file: 'folders follow from dataset and model name',
  result_dir: 'folders follow from dataset and model name',
  checkpoint_dir: 'folders follow from dataset and model name',
  peft_output_dir: 'folders follow from dataset and model name',
  root_dir: 'folders follow from dataset and model name',
  data_dir: 'folders follow from dataset and model name',
  task_type: 'always causal language modelling',
  report_to: 'nothing is sent anywhere',
  device_map: 'the machine decides',
  use_cache: 'always off while training',
  do_eval: 'validation runs where a validation split is',
  eval_strategy: 'validation runs by steps',
  load_best_model_at_end: 'the best checkpoint by validation loss is always kept',
  metric_for_best_model: 'the best checkpoint by validation loss is always kept',
  class_name: 'classes are not named in recipes',
  averages: 'all averages are always computed',
  prediction_column: 'always "prediction"',
  prediction_col: 'always "prediction"',
  raw_col: 'the raw output is always kept',
  dataset_num_proc: 'the machine decides',
  is_base: 'the chat template decides',
};

/** Keys that hold code or name classes. */
export const codeKeys = ['pre_process', 'post_process', 'code_model', 'code_tokenizer', 'post_init_source', 'result_mapper'];
