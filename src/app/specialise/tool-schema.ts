// What an agent needs to call a task as a tool: name, description and a JSON Schema of its input and output.
import type { Json } from '../../core/json.ts';
import type { TaskDefinition } from '../../tasks/task-definition.ts';

export interface ToolSchema {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Json;
    readonly strict: true;
  };
  /** JSON Schema of `value` in the answer. */
  readonly output: Json;
}

const templateWords = new Set([
  'if',
  'elif',
  'else',
  'endif',
  'for',
  'endfor',
  'in',
  'set',
  'endset',
  'not',
  'and',
  'or',
  'is',
  'loop',
  'true',
  'false',
  'none',
  'row',
  'defined',
  'raw',
  'endraw',
]);

/** Columns that the templates of a task read, in order of appearance. */
export function inputColumns(definition: Pick<TaskDefinition, 'prompt' | 'system' | 'preamble'>): string[] {
  const names = new Set<string>();
  const loops = new Set<string>();
  for (const template of [definition.system, definition.preamble, definition.prompt]) {
    for (const [, body] of (template ?? '').matchAll(/\{[{%]-?([\s\S]*?)-?[%}]\}/g)) {
      const code = body!.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, ' ');
      const loop = /^\s*for\s+(\w+)/.exec(code);
      if (loop !== null) loops.add(loop[1]!);
      for (const match of code.matchAll(/(?<![\w.|])(?:row\.)?([A-Za-z_]\w*)/g)) {
        const before = code.slice(0, match.index).trimEnd();
        if (before.endsWith('|') || before.endsWith('.')) continue;
        const name = match[1]!;
        if (!templateWords.has(name) && !loops.has(name)) names.add(name);
      }
    }
  }
  return [...names];
}

function outputSchema(definition: TaskDefinition): Json {
  const { parser, labels } = definition;
  if (labels !== undefined) return { type: 'string', enum: [...labels] };
  if (parser.kind === 'json') return (parser.schema as Json | undefined) ?? { type: 'object' };
  if (parser.kind === 'list' || parser.kind === 'multi-label') return { type: 'array', items: { type: 'string' } };
  if (parser.kind === 'entities')
    return {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          text: { type: 'string' },
          label: { type: 'string' },
          start: { type: ['integer', 'null'] },
          end: { type: ['integer', 'null'] },
        },
        required: ['text', 'label'],
      },
    };
  return { type: 'string' };
}

/** In the form that OpenAI-compatible APIs take under `tools`. */
export function toolSchema(definition: TaskDefinition): ToolSchema {
  const inputs = inputColumns(definition);
  return {
    type: 'function',
    function: {
      name: definition.name.replace(/[^\w-]+/g, '_').slice(0, 64),
      description: definition.description,
      parameters: {
        type: 'object',
        properties: Object.fromEntries(inputs.map((name) => [name, { type: 'string' }])),
        required: inputs,
        additionalProperties: false,
      },
      strict: true,
    },
    output: outputSchema(definition),
  };
}
