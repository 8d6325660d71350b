// What every stage of one command shares: the recipe and what it resolved to, the folders, and who is told what happens.
import type { ResolvedModel } from '../../backends/resolve-model.ts';
import type { EventListener } from '../../core/events.ts';
import type { Trainer } from '../../core/ports/trainer.ts';
import type { PromptContext } from '../../core/task.ts';
import type { TaskDefinition } from '../../tasks/task-definition.ts';
import type { Workspace } from '../workspace.ts';
import type { ChatFormat } from './chat-format.ts';
import type { Layout } from './layout.ts';
import type { LoadedRecipe } from './load-recipe.ts';
import type { PreparedData } from './prepare-data.ts';
import type { StageName } from './stage-names.ts';

/** Makes the trainer of a recipe when the first training is due. */
export type OpenTrainer = (session: SpecialiseSession) => Promise<Trainer>;

export interface SpecialiseOptions {
  readonly recipeFile: string | undefined;
  readonly assignments?: readonly string[] | undefined;
  /** The first N rows of each split: a smoke run that cannot be published. */
  readonly limit?: number | undefined;
  /** A row that stands in two splits is an error. */
  readonly strict?: boolean | undefined;
  /** Stages to run whatever their fingerprints say. */
  readonly force?: readonly StageName[] | undefined;
  /** Seeds 0 to n - 1 in place of the recipe's own. */
  readonly seedCount?: number | undefined;
  readonly offline?: boolean | undefined;
  readonly commandLine?: string | undefined;
  readonly listener?: EventListener | undefined;
  /** Aborted: finish what is in flight; the same command resumes. */
  readonly signal?: AbortSignal | undefined;
  /** Aborted: stop at once. */
  readonly stop?: AbortSignal | undefined;
  /** Replaced in tests. @default the PEFT trainer of the managed Python environment */
  readonly openTrainer?: OpenTrainer | undefined;
}

export interface SpecialiseSession {
  readonly loaded: LoadedRecipe;
  readonly recipe: LoadedRecipe['recipe'];
  readonly options: SpecialiseOptions;
  readonly commandLine: string;
  readonly workspace: Workspace;
  readonly layout: Layout;
  readonly definition: TaskDefinition;
  readonly data: PreparedData;
  readonly model: ResolvedModel;
  readonly format: ChatFormat;
  readonly context: PromptContext;
  /** Runs whose stages are forced. */
  readonly isForced: (stage: StageName) => boolean;
  readonly note: (message: string) => void;
}

/** What scoring and rendering need: no model. */
export type ScoringSession = Omit<SpecialiseSession, 'model' | 'format'>;
