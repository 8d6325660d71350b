// Runs a named transform on a row's columns.
import type { JsonObject } from '../../core/json.ts';
import { bbhOptions } from './bbh-options.ts';
import { codeTests } from './code-tests.ts';
import { copa, copaLmEval } from './copa.ts';
import { coqa } from './coqa.ts';
import { drop } from './drop.ts';
import { hellaswag, hellaswagLmEval } from './hellaswag.ts';
import { ifeval } from './ifeval.ts';
import { lambada } from './lambada.ts';
import { math } from './math.ts';
import { mmluPro } from './mmlu-pro.ts';
import { squadAnswers } from './squad-answers.ts';
import type { TransformName } from './transform-names.ts';
import { truthfulqaGeneration } from './truthfulqa.ts';
import { wikitext } from './wikitext.ts';
import { winogrande } from './winogrande.ts';

const transforms: Readonly<Record<TransformName, (fields: JsonObject) => JsonObject>> = {
  'bbh-options': bbhOptions,
  'code-tests': codeTests,
  coqa,
  copa,
  'copa-lm-eval': copaLmEval,
  drop,
  hellaswag,
  'hellaswag-lm-eval': hellaswagLmEval,
  ifeval,
  lambada,
  math,
  'mmlu-pro': mmluPro,
  'squad-answers': squadAnswers,
  'truthfulqa-generation': truthfulqaGeneration,
  wikitext,
  winogrande,
};

/** The columns with those of the transform added or replaced. */
export function applyTransform(name: TransformName | undefined, fields: JsonObject): JsonObject {
  return name === undefined ? fields : { ...fields, ...transforms[name](fields) };
}
