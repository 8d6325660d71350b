// The grammar text; that it makes real models write valid JSON is proved in test/system/llama-generation.test.ts.
import { describe, expect, it } from 'vitest';
import { jsonSchemaGrammar } from './json-schema-grammar.ts';

const rootOf = (schema: unknown) => jsonSchemaGrammar(schema).split('\n')[0];

describe('jsonSchemaGrammar', () => {
  it('writes constants and enums as literals, quotes and line ends escaped', () => {
    expect(rootOf({ enum: ['a', 1, null] })).toBe('root ::= ("\\"a\\"" | "1" | "null")');
    expect(rootOf({ const: 'say "hi"\n' })).toBe('root ::= "\\"say \\\\\\"hi\\\\\\"\\\\n\\""');
  });

  it('defines every rule it uses, once', () => {
    const grammar = jsonSchemaGrammar({
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'array', items: { $ref: '#/$defs/tree' } }, c: true },
      required: ['b'],
      $defs: { tree: { type: 'object', properties: { next: { anyOf: [{ $ref: '#/$defs/tree' }, { type: 'null' }] } } } },
    });
    const defined = grammar.split('\n').map((line) => line.split(' ::= ')[0]!);
    expect(new Set(defined).size).toBe(defined.length);
    const bodies = grammar
      .split('\n')
      .map((line) => line.slice(line.indexOf('::=') + 3))
      .join(' ')
      .replace(/"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]/gu, ' ')
      .replace(/\{[\d,]*\}/gu, ' ');
    for (const name of bodies.match(/[a-zA-Z][\w-]*/gu)!) expect(defined).toContain(name);
  });

  it('refuses what it cannot express, naming the place', () => {
    const refused = (schema: unknown) => expect(() => jsonSchemaGrammar(schema));
    refused({ type: 'object', properties: { age: { type: 'integer', minimum: 3 } } }).toThrow(/properties\/age.*"minimum"/u);
    refused({ type: 'string', pattern: 'a+' }).toThrow(/"pattern"/u);
    refused({ type: 'widget' }).toThrow(/"widget"/u);
    refused({ $ref: '#/$defs/none' }).toThrow(/leads nowhere/u);
    refused({ $ref: 'https://example.com/x.json' }).toThrow(/another document/u);
    refused('text').toThrow(/in place of a schema/u);
    refused({ allOf: [{}, {}] }).toThrow(/allOf/u);
  });
});
