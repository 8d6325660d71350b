// Grades answers by a panel of LLM judges: each gets the task's rubric, and the panel's majority (or median) is the grade.
import { sha256Hex } from '../core/digest.ts';
import { messageOf } from '../core/errors.ts';
import { defaultGenerationSettings } from '../core/generation.ts';
import type { Backend } from '../core/ports/backend.ts';
import type { Grader } from '../core/ports/grader.ts';
import type { Grade, PredictionRow } from '../core/prediction.ts';
import { type JudgeRubricScale, judgePrompt } from '../metrics/judge-prompt.ts';
import { type JudgeReply, writeJudgeDetail } from '../metrics/judge-replies.ts';
import { panelVerdict } from '../metrics/judge-verdicts.ts';
import { withoutQuotes } from '../metrics/without-quotes.ts';
import { extractAnswer } from '../tasks/extraction/extract-answer.ts';

/** One judge of a panel; its model is loaded at the first answer it grades. */
export interface Judge {
  /** As named in tables: the model's key. */
  readonly name: string;
  readonly open: () => Promise<Backend>;
}

export interface JudgePanel {
  readonly rubric: string;
  readonly scale: JudgeRubricScale;
  readonly judges: readonly Judge[];
}

const maxTokens = 512;

/** A fence that depends on the texts alone: a repeated run asks the same, and no text can contain a digest of itself. */
function fenceDrawer(texts: readonly string[]): () => string {
  let draw = 0;
  return () => sha256Hex(JSON.stringify([draw++, ...texts])).slice(0, 16);
}

function schemaOf(scale: JudgeRubricScale): object {
  const given = scale.kind === 'labels' ? { verdict: { enum: [...scale.labels] } } : { score: { type: 'number' } };
  const properties = { reason: { type: 'string', maxLength: 600 }, ...given };
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

async function askJudge(judge: Judge, backend: Backend, row: PredictionRow, panel: JudgePanel, signal?: AbortSignal): Promise<JudgeReply> {
  const { rubric, scale } = panel;
  const request = { rubric, scale, question: row.instruction, answer: row.prediction!, reference: row.label ?? undefined };
  const prompt = judgePrompt(request, fenceDrawer([request.question, request.answer, request.reference ?? '']));
  const generation = await backend.generate(
    {
      prompt,
      settings: { ...defaultGenerationSettings, maxTokens, temperature: 0 },
      ...(backend.capabilities.jsonSchema ? { jsonSchema: schemaOf(scale) } : {}),
    },
    { signal },
  );
  const { finishReason, reasoning = null } = generation;
  const reply = withoutQuotes(generation.text, [request.answer, request.question]);
  const read = extractAnswer(reply, { kind: 'judge', scale }, { finishReason, reasoning });
  // For points the extraction's value is scaled to 0..1; the points as given stand in its detail.
  const verdict = read.value === null ? null : scale.kind === 'points' ? (read.detail ?? null) : read.value;
  return { judge: judge.name, verdict, problem: verdict === null ? (read.reason ?? 'unparseable') : null };
}

/** @param panels by task key */
export function createJudgeGrader(panels: ReadonlyMap<string, JudgePanel>): Grader {
  const backends = new Map<string, Promise<Backend>>();
  const backendOf = (judge: Judge): Promise<Backend> => {
    let backend = backends.get(judge.name);
    if (backend === undefined) {
      backend = judge.open();
      backends.set(judge.name, backend);
    }
    return backend;
  };
  const ask = async (judge: Judge, row: PredictionRow, panel: JudgePanel, signal?: AbortSignal): Promise<JudgeReply> => {
    try {
      return await askJudge(judge, await backendOf(judge), row, panel, signal);
    } catch (thrown) {
      if (signal?.aborted === true) throw thrown;
      return { judge: judge.name, verdict: null, problem: messageOf(thrown) };
    }
  };
  return {
    name: 'judge',
    version: '1',
    grade: async (row, _document, signal): Promise<Grade> => {
      const panel = panels.get(row.task)!;
      const replies = await Promise.all(panel.judges.map((judge) => ask(judge, row, panel, signal)));
      const { score, verdict, reason } = panelVerdict(
        replies.map((reply) => reply.verdict),
        panel.scale,
      );
      return { grader: 'judge', score, verdict: verdict ?? reason, detail: writeJudgeDetail(replies) };
    },
    close: async () => {
      for (const backend of await Promise.allSettled(backends.values())) {
        if (backend.status === 'fulfilled') await backend.value.close();
      }
    },
  };
}
