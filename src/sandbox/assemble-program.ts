// Puts a model's completion and a task's tests together into one run of a sandbox (HumanEval: prompt + completion; MBPP: whole answer).
import type { CodeLanguage, CodeRunRequest } from '../core/ports/code-runner.ts';

export interface ProgramParts {
  readonly language: CodeLanguage;
  /** Code that the model was asked to continue: imports, signature, docstring. Empty where it wrote everything itself. */
  readonly prompt?: string | undefined;
  /** What the model wrote, without Markdown fences. */
  readonly completion: string;
  /** Judging code: `def check(candidate)` as in HumanEval, or statements as in MBPP. */
  readonly tests: string;
  /** Code that the tests need before the solution (MBPP `test_setup_code`). */
  readonly setup?: string | undefined;
  /** Judged function; default: the first function that the tests call and the program defines. */
  readonly entryPoint?: string | undefined;
}

const identifier = '[\\p{L}_$][\\p{L}\\p{N}_$]*';

function definitionOf(name: string, language: CodeLanguage): RegExp {
  const escaped = name.replaceAll('$', '\\$');
  return language === 'python'
    ? new RegExp(`^(?:async[ \\t]+)?def[ \\t]+${escaped}[ \\t]*\\(|^class[ \\t]+${escaped}\\b`, 'mu')
    : new RegExp(
        `^(?:export\\s+)?(?:async\\s+)?function\\s*\\*?\\s*${escaped}\\s*\\(|^(?:export\\s+)?(?:const|let|var)\\s+${escaped}\\s*=`,
        'mu',
      );
}

/**
 * A completion that writes the judged function again stands for itself; the prompt is then kept before it only for its
 * imports and helpers. Otherwise it is the body that continues the prompt's last line.
 */
function solutionText(parts: ProgramParts): string {
  const { prompt = '', language, entryPoint } = parts;
  const completion = parts.completion.replace(/\r\n?/g, '\n').replace(/^\ufeff/, '');
  if (prompt === '') return completion;
  const repeats = entryPoint !== undefined && definitionOf(entryPoint, language).test(completion);
  if (!repeats) return continuePrompt(prompt, completion, language);
  return `${preambleOf(prompt, entryPoint, language)}${completion}`;
}

/** The prompt up to the judged function: imports and helpers that the completion may rely on. */
function preambleOf(prompt: string, entryPoint: string, language: CodeLanguage): string {
  const at = prompt.search(definitionOf(entryPoint, language));
  const head = at < 0 ? prompt : prompt.slice(0, at);
  // Decorators and comments right above the function belong to it, and the completion brings its own.
  const kept = head.replace(/(?:^[ \t]*(?:@|#|\/\/).*\n)+$/m, '');
  return kept.trim() === '' ? '' : `${kept.trimEnd()}\n\n`;
}

/**
 * Joins a body to its signature. Chat models often drop the indentation of the first line only, or of the whole body.
 */
function continuePrompt(prompt: string, completion: string, language: CodeLanguage): string {
  if (language !== 'python') return prompt + completion;
  const opened = prompt.endsWith('\n') ? prompt : `${prompt}\n`;
  const hasOpenLine = !prompt.endsWith('\n') && /^[ \t]+$/.test(prompt.slice(prompt.lastIndexOf('\n') + 1));
  if (hasOpenLine) return prompt + completion.replace(/^[ \t]+/, '');
  return opened + indentBody(completion.replace(/^\n+/, ''), /^([ \t]+)\S/m.exec(prompt)?.[1] ?? '    ');
}

function indentBody(body: string, indent: string): string {
  const lines = body.split('\n');
  const first = lines[0] ?? '';
  if (first.trim() === '' || /^[ \t]/.test(first)) return body;
  const rest = lines.slice(1).filter((line) => line.trim() !== '');
  const isFlat =
    rest.every((line) => !/^[ \t]/.test(line)) || opensBlock(first) || rest.some((line) => !/^[ \t]/.test(line) && !startsTopLevel(line));
  if (!isFlat) return `${indent}${body}`;
  return lines.map((line) => (line.trim() === '' ? line : indent + line)).join('\n');
}

function opensBlock(line: string): boolean {
  return /:\s*(?:#.*)?$/.test(line);
}

function startsTopLevel(line: string): boolean {
  return /^(?:def|class|async|import|from|if __name__|@|#|print|assert)\b|^[@#]/.test(line);
}

/** Calls in a test, in order: `assert name(...)`, `check(name)`. */
function calledNames(tests: string): string[] {
  return Array.from(tests.matchAll(new RegExp(`(?<![.\\p{L}\\p{N}_$])(${identifier})\\s*\\(`, 'gu')), (hit) => hit[1]!);
}

/** The run to hand to a code runner. HumanEval's `check` is called with the judged function. */
export function assembleProgram(parts: ProgramParts, limits: { readonly timeoutMs: number; readonly memoryBytes: number }): CodeRunRequest {
  const solution = solutionText(parts);
  const program = parts.setup === undefined || parts.setup.trim() === '' ? solution : `${parts.setup}\n${solution}`;
  const entryPoint = parts.entryPoint ?? calledNames(parts.tests).find((name) => definitionOf(name, parts.language).test(program));
  const definesCheck = definitionOf('check', parts.language).test(parts.tests);
  const callsCheck = /^check\s*\(/m.test(parts.tests);
  const isUncalled = definesCheck && !callsCheck && entryPoint !== undefined;
  const tests = isUncalled ? `${parts.tests.trimEnd()}\n\ncheck(${entryPoint})\n` : parts.tests;
  return { language: parts.language, program, tests, entryPoint, ...limits };
}
