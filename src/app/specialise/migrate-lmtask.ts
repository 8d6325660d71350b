// Carries the declarative part of LMTask configurations over into a recipe, and lists everything that cannot be carried.

import { loadConfigFile } from '../../config/load-config-file.ts';
import { specialiseRecipeSchema } from '../../config/specialise-recipe.ts';
import { recipeYaml } from '../../config/specialise-yaml.ts';
import { memberOf } from '../../core/count-names.ts';
import { ToolError } from '../../core/errors.ts';
import { codeKeys, needless, recipeName, sectionRules } from './migrate-rules.ts';

export interface Migration {
  readonly yaml: string;
  readonly carried: readonly string[];
  /** What stays behind, with the reason. */
  readonly left: readonly { readonly key: string; readonly why: string }[];
  /** What the recipe still lacks before it can run. */
  readonly missing: readonly string[];
}

type Tree = Record<string, unknown>;

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function put(recipe: Tree, path: string, value: unknown): void {
  const steps = path.split('.');
  let at = recipe;
  for (const step of steps.slice(0, -1)) {
    if (!isTree(at[step])) at[step] = {};
    at = at[step] as Tree;
  }
  at[steps.at(-1)!] = value;
}

interface State {
  readonly recipe: Tree;
  readonly carried: string[];
  readonly left: { key: string; why: string }[];
}

const outsideReference =
  /\$\{[^}]*\}|^(?:instance|object|application|path|class|call|alias|import|eval|json|asdict|dataclass)(?:\(.*?\))?:/;

function keep(state: State, key: string, path: string, value: unknown): void {
  if (value === undefined) state.left.push({ key, why: 'this value has no counterpart' });
  else {
    put(state.recipe, path, value);
    state.carried.push(`${key} -> ${path}`);
  }
}

function migrateKey(state: State, section: string, key: string, value: unknown): void {
  const name = `${section}.${key}`;
  if (codeKeys.includes(key)) {
    state.left.push({ key: name, why: 'it is Python source: write it as dataset.steps, or a step of your own before' });
    return;
  }
  if (typeof value === 'string' && outsideReference.test(value)) {
    state.left.push({ key: name, why: `it refers to another part of the configuration (${value})` });
    return;
  }
  const rule = memberOf(memberOf(sectionRules, section), key);
  if (rule !== undefined) keep(state, name, rule.to, rule.convert === undefined ? value : rule.convert(value));
  else state.left.push({ key: name, why: memberOf(needless, key) ?? 'recipes have no such setting' });
}

/** LMTask reads the request under its own names; here the columns are named directly. */
function promptOf(template: unknown): string | undefined {
  return typeof template === 'string' ? template.replace(/\brequest\.(\w+)/g, '$1').trim() : undefined;
}

function migrateTask(state: State, section: string, body: Tree): void {
  for (const [key, value] of Object.entries(body)) {
    const name = `${section}.${key}`;
    if (key === 'role') keep(state, name, 'task.system', value);
    else if (key === 'inference_template') keep(state, name, 'task.prompt', promptOf(value));
    else if (key === 'name') keep(state, name, 'task.name', recipeName(value));
    else if (key === 'description') keep(state, name, 'task.description', value);
    else if (key === 'train_template')
      state.left.push({ key: name, why: 'training uses the served prompt, with the answer in the assistant turn' });
    else if (key === 'chat_template_args' && isTree(value)) {
      if ('enable_thinking' in value)
        keep(state, `${name}.enable_thinking`, 'generation.thinking', value['enable_thinking'] ? 'on' : 'off');
      else state.left.push({ key: name, why: 'the chat template is called as serving calls it' });
    } else migrateKey(state, section, key, value);
  }
}

function migrateSource(state: State, section: string, body: Tree): void {
  for (const [key, value] of Object.entries(body)) {
    const name = `${section}.${key}`;
    if (key === 'source' && typeof value === 'string' && !outsideReference.test(value)) {
      const isHub = /^[\w.-]+\/[\w.-]+$/.test(value);
      keep(state, name, 'dataset.source', isHub ? `hf:${value}` : value);
    } else if (key === 'load_args') state.left.push({ key: name, why: 'name the files or the configuration in dataset.source' });
    else migrateKey(state, section, key, value);
  }
}

function migrateSection(state: State, section: string, body: unknown): void {
  if (!isTree(body)) {
    state.left.push({ key: section, why: 'it is no section' });
  } else if (section === 'import' || section.endsWith('_import')) {
    state.left.push({ key: section, why: 'name the imported files before this one' });
  } else if (/quant_4bit|quant_8bit/.test(section)) {
    keep(state, section, 'training.quantisation', section.includes('4bit') ? '4bit' : '8bit');
  } else if ('inference_template' in body || 'train_template' in body) migrateTask(state, section, body);
  else if ('source' in body && !(section in sectionRules)) migrateSource(state, section, body);
  else for (const [key, value] of Object.entries(body)) migrateKey(state, section, key, value);
}

function mergeSections(into: Tree, from: Tree): void {
  for (const [section, body] of Object.entries(from)) {
    into[section] = isTree(body) && isTree(into[section]) ? { ...into[section], ...body } : body;
  }
}

function primaryMetric(recipe: Tree, sections: Tree): void {
  const metrics = sections['lmtask_benchmark_metrics'];
  if (!isTree(metrics) || metrics['primary_metric'] === undefined) return;
  const average = metrics['primary_average'];
  put(recipe, 'task.primaryMetric', `${String(metrics['primary_metric'])}${average == null ? '' : `:${String(average)}`}`);
  put(recipe, 'task.metrics', ['classification']);
}

/**
 * Reads configurations in order; later ones win, as an importing file does.
 * @throws ToolError `config` for files that are no YAML maps
 */
export async function migrateLmtask(files: readonly string[]): Promise<Migration> {
  const sections: Tree = {};
  for (const file of files) {
    const { value, locate } = await loadConfigFile(file);
    if (!isTree(value)) throw new ToolError('config', 'expected a map of sections', { location: locate([]) });
    mergeSections(sections, value);
  }
  const state: State = { recipe: { schema: 'slmbench/specialise/1' }, carried: [], left: [] };
  for (const [section, body] of Object.entries(sections)) migrateSection(state, section, body);
  const { recipe } = state;
  if (isTree(recipe['task']) && Array.isArray(recipe['task']['labels'])) put(recipe, 'task.type', 'classification');
  primaryMetric(recipe, sections);
  const check = specialiseRecipeSchema.safeParse(recipe);
  const missing = check.success ? [] : check.error.issues.map((issue) => `${issue.path.map(String).join('.')}: ${issue.message}`);
  if (!isTree(recipe['dataset']) || !('split' in recipe['dataset']))
    missing.push('dataset.split or dataset.splits: the splits were Python code');
  const comments = [
    `Carried over from ${files.map((file) => file.split(/[\\/]/).at(-1)).join(', ')}.`,
    ...missing.map((line) => `TO DO ${line}`),
    ...state.left.map(({ key, why }) => `not carried: ${key}: ${why}`),
  ];
  return { yaml: recipeYaml(recipe, comments), carried: state.carried, left: state.left, missing };
}
