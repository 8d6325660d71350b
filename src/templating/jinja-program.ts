// The home of the Jinja engine: parses templates once, runs them with the globals that prompts and chat templates need.
import * as jinja from '@huggingface/jinja';

/** A parsed template. */
export interface Program {
  readonly type: string;
}

interface Value {
  readonly type: string;
  readonly value: unknown;
}

interface Scope {
  set(name: string, value: unknown): unknown;
}

interface TemplateInterpreter {
  run(program: Program): Value;
  evaluate(node: LooseNode | undefined, scope: Scope): Value;
}

/** The package's declarations do not resolve under Node's module rules, so the part in use is declared here. */
const { tokenize, parse, Environment, Interpreter } = jinja as unknown as {
  readonly tokenize: (source: string, options: { readonly lstrip_blocks: boolean; readonly trim_blocks: boolean }) => unknown;
  readonly parse: (tokens: unknown) => Program;
  readonly Environment: new () => Scope;
  readonly Interpreter: new (scope: Scope) => TemplateInterpreter;
};

/** Block whitespace: `exact` keeps it as written (Jinja's own default), `chat` removes it around block tags as transformers does. */
export type BlockWhitespace = 'exact' | 'chat';

/** A name that a template reads and nobody gave. */
export class UndefinedNameError extends Error {
  override readonly name = 'UndefinedNameError';
  readonly missing: string;
  constructor(missing: string) {
    super(`"${missing}" is undefined`);
    this.missing = missing;
  }
}

const cacheLimit = 512;
const programs: Record<BlockWhitespace, Map<string, Program>> = { exact: new Map(), chat: new Map() };

/** Parses a template; the last few hundred programs are kept. Throws the engine's SyntaxError. */
export function compileJinja(source: string, whitespace: BlockWhitespace): Program {
  const cache = programs[whitespace];
  const known = cache.get(source);
  if (known !== undefined) return known;
  const blocks = whitespace === 'chat';
  // The lexer drops one final newline; a prompt keeps its own.
  const text = whitespace === 'exact' && source.endsWith('\n') ? `${source}\n` : source;
  const program = parse(tokenize(text, { lstrip_blocks: blocks, trim_blocks: blocks }));
  if (cache.size >= cacheLimit) cache.delete(cache.keys().next().value!);
  cache.set(source, program);
  return program;
}

/** Runs a parsed template. With `strict`, reading an undefined name throws UndefinedNameError, except under `is defined` and `default`. */
export function runJinja(program: Program, globals: Readonly<Record<string, unknown>>, strict: boolean): string {
  const scope = new Environment();
  for (const [name, value] of Object.entries(constants)) scope.set(name, value);
  for (const [name, value] of Object.entries(globals)) if (value !== undefined) scope.set(name, value);
  const interpreter = strict ? new StrictInterpreter(scope) : new Interpreter(scope);
  return String(interpreter.run(program).value);
}

const constants = {
  true: true,
  True: true,
  false: false,
  False: false,
  none: null,
  None: null,
  range: (start: number, stop?: unknown, step?: unknown) => rangeOf(start, stop, step),
};

const maxRange = 1_000_000;

function rangeOf(first: number, second: unknown, third: unknown): number[] {
  const start = typeof second === 'number' ? first : 0;
  const stop = typeof second === 'number' ? second : first;
  const step = typeof third === 'number' ? third : 1;
  const count = Math.max(0, Math.ceil((stop - start) / step));
  if (!Number.isFinite(count) || count > maxRange) throw new Error(`range(${start}, ${stop}, ${step}) is too long`);
  return Array.from({ length: count }, (_, index) => start + index * step);
}

interface LooseNode {
  readonly type: string;
  readonly value?: unknown;
  readonly computed?: boolean;
  readonly object?: LooseNode;
  readonly property?: LooseNode;
  readonly operand?: LooseNode;
  readonly test?: LooseNode;
  readonly filter?: LooseNode;
  readonly callee?: LooseNode;
}

/** Jinja's StrictUndefined: an undefined name may be tested or defaulted, never used. */
class StrictInterpreter extends Interpreter {
  readonly #tolerated = new WeakSet<object>();

  override evaluate(node: LooseNode | undefined, scope: Scope): Value {
    if (node?.operand !== undefined && toleratesUndefined(node)) this.#tolerated.add(node.operand);
    const value = super.evaluate(node, scope);
    const isRead = node?.type === 'Identifier' || node?.type === 'MemberExpression';
    if (isRead && value.type === 'UndefinedValue' && !this.#tolerated.has(node)) throw new UndefinedNameError(nameOf(node));
    return value;
  }
}

function toleratesUndefined(node: LooseNode): boolean {
  if (node.type === 'TestExpression') return node.test?.value === 'defined' || node.test?.value === 'undefined';
  if (node.type !== 'FilterExpression') return false;
  const filter = node.filter?.type === 'CallExpression' ? node.filter.callee : node.filter;
  return filter?.value === 'default' || filter?.value === 'd';
}

function nameOf(node: LooseNode): string {
  if (node.type !== 'MemberExpression') return String(node.value ?? node.type);
  const object = node.object === undefined ? '' : nameOf(node.object);
  const property = node.property === undefined ? '' : nameOf(node.property);
  return node.computed === true ? `${object}[${property}]` : `${object}.${property}`;
}
