// Prompt templates: strict names, exact white space, data never evaluated.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ToolError } from '../core/errors.ts';
import { checkTemplate, renderTemplate } from './render-template.ts';

function failure(run: () => unknown): ToolError {
  try {
    run();
  } catch (thrown) {
    if (ToolError.isInstance(thrown)) return thrown;
    throw thrown;
  }
  throw new Error('did not fail');
}

describe('renderTemplate', () => {
  it('fills in variables and keeps white space as written', () => {
    expect(renderTemplate('Q: {{ q }}\n\nA: \n', { q: 'Why?' })).toBe('Q: Why?\n\nA: \n');
    expect(renderTemplate('{{ q }}\n\n', { q: 'x' })).toBe('x\n\n');
    expect(renderTemplate('{% if a %}\nyes\n{% endif %}\n', { a: true })).toBe('\nyes\n\n');
    expect(renderTemplate('no variable\n', {})).toBe('no variable\n');
  });

  it('names an undefined variable, the template and the nearest name', () => {
    const error = failure(() => renderTemplate('Q: {{question}}', { quesion: 'x' }, { name: 'my-task' }));
    expect(error.code).toBe('template');
    expect(error.message).toBe('unknown variable "question" in template my-task');
    expect(error.hint).toContain('did you mean "quesion"?');
  });

  it.each([
    '{{ missing }}',
    '{% if missing %}a{% endif %}',
    '{% for x in missing %}{% endfor %}',
    '{{ row.missing }}',
    '{{ missing | upper }}',
    '{{ missing == 1 }}',
    "{{ 'a' ~ missing }}",
  ])('fails wherever an undefined name is used: %s', (template) => {
    expect(failure(() => renderTemplate(template, { row: { a: 1 } })).message).toContain('missing');
  });

  it('lets undefined names be tested and defaulted', () => {
    expect(renderTemplate("{{ x | default('d') }}{% if x is defined %}no{% endif %}{{ 'u' if x is undefined }}", {})).toBe('du');
  });

  it('never evaluates data', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('{{ 1 + 1 }}', '{% raw %}', '$& $1 $$', '{# c #}', '\\n', '{{')), (text) => {
        expect(renderTemplate('<{{ t }}>', { t: text })).toBe(`<${text}>`);
      }),
    );
  });

  it.each([
    "{{constructor.constructor('return 1')()}}",
    "{{ ''.constructor }}",
    '{{ __proto__ }}',
    '{{ row.__proto__ }}',
    '{{ row.constructor }}',
  ])('gives prompt files no way into JavaScript: %s', (template) => {
    expect(failure(() => renderTemplate(template, { row: { a: 1 } })).code).toBe('template');
  });

  it('reports a syntax error with a short form of the template', () => {
    expect(failure(() => renderTemplate('{% if x %}oops', { x: 1 })).message).toContain('"{% if x %}oops"');
    expect(failure(() => checkTemplate('{{ x ', { name: 'n' })).message).toContain('template n failed');
    expect(failure(() => renderTemplate('{{ range(1000000000) }}', {})).message).toContain('too long');
  });

  it('handles lists, loops and nested data', () => {
    const row = {
      choices: [
        { label: 'A', text: 'x' },
        { label: 'B', text: 'y' },
      ],
    };
    expect(renderTemplate('{% for c in choices %}{{ c.label }}. {{ c.text }}\n{% endfor %}', row)).toBe('A. x\nB. y\n');
    expect(renderTemplate('{{ range(3) | join(",") }}{{ n }}', { n: null })).toBe('0,1,2');
  });
});
