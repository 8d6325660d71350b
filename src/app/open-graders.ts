// Graders that a plan's tasks need: code is run in the sandbox; judges and embeddings are opt-in.
import { ToolError } from '../core/errors.ts';
import type { CodeLanguage, CodeRunner } from '../core/ports/code-runner.ts';
import type { Grader } from '../core/ports/grader.ts';
import type { Grade } from '../core/prediction.ts';
import { openCodeRunner } from '../sandbox/registry.ts';
import { createIfevalGrader } from '../tasks/ifeval/ifeval-grader.ts';

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

const builders: Readonly<Record<string, () => Grader>> = {
  'code-python': () => codeGrader('code-python', 'python'),
  'code-javascript': () => codeGrader('code-javascript', 'javascript'),
  ifeval: createIfevalGrader,
};

export async function openGraders(
  tasks: readonly { readonly task: { readonly key: string; readonly graders: readonly string[] } }[],
): Promise<Grader[]> {
  const names = new Set(tasks.flatMap(({ task }) => task.graders));
  return [...names].map((name) => {
    const build = builders[name];
    if (build === undefined)
      throw new ToolError('config', `unknown grader "${name}"`, { hint: `known: ${Object.keys(builders).join(', ')}` });
    return build();
  });
}
