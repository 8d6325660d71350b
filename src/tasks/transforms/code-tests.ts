// Code tasks: the test program that runs after a candidate solution, whatever columns a dataset keeps it in.
import type { Json, JsonObject } from '../../core/json.ts';
import { textOf } from '../row-values.ts';

function lines(value: Json | undefined): readonly string[] {
  if (Array.isArray(value)) return value.map(textOf);
  return value === undefined || value === null || value === '' ? [] : [textOf(value)];
}

/** Adds `entry_point` and `program_tests`: set-up, the asserts, and the call of HumanEval's `check`. */
export function codeTests(fields: JsonObject): JsonObject {
  const asserts = fields['test_list'] ?? fields['tests'] ?? fields['test'];
  const setup = [...lines(fields['test_imports']), ...lines(fields['test_setup_code'])];
  const tests = [...setup, ...lines(asserts)].join('\n');
  const entryPoint = textOf(fields['entry_point'] ?? fields['entryPoint']) || calledName(tests);
  const call = /^def check\(/mu.test(tests) && !/^check\(/mu.test(tests) ? `\n\ncheck(${entryPoint})\n` : '';
  return { entry_point: entryPoint, program_tests: tests + call };
}

/** Function that the first assert calls. */
function calledName(tests: string): string {
  return (
    /assert\s+(?:not\s+)?(?:\(*\s*)?(?:(?:set|sorted|list|tuple|len|abs|round|math\.isclose)\()*([A-Za-z_]\w*)\(/u.exec(tests)?.[1] ?? ''
  );
}
