// Graders that a plan's tasks need: code is run in the sandbox; judges and sentence embeddings are opt-in.
import { ToolError } from '../core/errors.ts';
import type { CodeLanguage, CodeRunner } from '../core/ports/code-runner.ts';
import type { Grader } from '../core/ports/grader.ts';
import type { Grade } from '../core/prediction.ts';
import { openSentenceEmbedder } from '../embedding/sentence-embedder.ts';
import { openCodeRunner } from '../sandbox/registry.ts';
import type { SourceContext } from '../sources/source-context.ts';
import { createIfevalGrader } from '../tasks/ifeval/ifeval-grader.ts';
import { graderNames } from '../tasks/task-definition.ts';
import { createJudgeGrader, type JudgePanel } from './judge-grader.ts';
import { createSimilarityGrader } from './similarity-grader.ts';

const codeTimeoutMs = 10_000;
const codeMemoryBytes = 512 * 1024 * 1024;

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Runs the answer with the task's tests (`extra.tests`, `extra.entryPoint`); passed = 1, anything else = 0. */
function codeGrader(name: string, language: CodeLanguage): Grader {
  let runner: Promise<CodeRunner> | null = null;
  return {
    name,
    version: '1',
    grade: async (row): Promise<Grade> => {
      if (row.prediction === null) return { grader: name, score: 0, verdict: 'no code', detail: '' };
      runner ??= openCodeRunner(language);
      const result = await (await runner).run({
        language,
        program: row.prediction,
        tests: text(row.extra?.['tests']),
        timeoutMs: codeTimeoutMs,
        memoryBytes: codeMemoryBytes,
      });
      return { grader: name, score: result.outcome === 'passed' ? 1 : 0, verdict: result.outcome, detail: result.detail };
    },
    close: async () => {
      if (runner !== null) await (await runner).close();
    },
  };
}

type GraderName = (typeof graderNames)[number];

export interface GraderNeeds {
  /** Panels of judged tasks, by task key. */
  readonly panels: ReadonlyMap<string, JudgePanel>;
  readonly sources: SourceContext;
}

const builders: Readonly<Record<GraderName, (needs: GraderNeeds) => Grader>> = {
  'code-python': () => codeGrader('code-python', 'python'),
  'code-javascript': () => codeGrader('code-javascript', 'javascript'),
  ifeval: createIfevalGrader,
  judge: ({ panels }) => createJudgeGrader(panels),
  similarity: ({ sources }) => createSimilarityGrader(() => openSentenceEmbedder(sources)),
};

export function openGraders(tasks: readonly { readonly task: { readonly graders: readonly string[] } }[], needs: GraderNeeds): Grader[] {
  const names = new Set(tasks.flatMap(({ task }) => task.graders));
  return [...names].map((name) => {
    const build = builders[name as GraderName];
    if (build === undefined) throw new ToolError('config', `unknown grader "${name}"`, { hint: `known: ${graderNames.join(', ')}` });
    return build(needs);
  });
}
