// Renders prompt templates (Jinja). Data is only ever inserted, never read as a template.
import { messageOf, type SourceLocation, ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';
import { compileJinja, runJinja, UndefinedNameError } from './jinja-program.ts';

export interface TemplateOptions {
  /** Name used in errors. @default the first line of the template */
  readonly name?: string | undefined;
  readonly location?: SourceLocation | undefined;
}

/**
 * Text of a prompt template with its variables filled in. White space is kept as written, a final newline included.
 * An undefined name fails (`is defined` and `default(...)` stay usable); `null` prints nothing.
 * @throws ToolError `template`: syntax error, undefined name or failing filter, with the template's name
 * @example renderTemplate('Q: {{ question }}\nA:', { question: 'Why?' })
 */
export function renderTemplate(source: string, variables: Readonly<Record<string, unknown>>, options: TemplateOptions = {}): string {
  // Most few-shot separators and targets are plain text.
  if (!source.includes('{')) return source;
  try {
    return runJinja(compileJinja(source, 'exact'), variables, true);
  } catch (thrown) {
    throw templateError(thrown, source, Object.keys(variables), options);
  }
}

/** Checks the syntax of a template without running it. @throws ToolError `template` */
export function checkTemplate(source: string, options: TemplateOptions = {}): void {
  try {
    compileJinja(source, 'exact');
  } catch (thrown) {
    throw templateError(thrown, source, [], options);
  }
}

function templateError(thrown: unknown, source: string, known: readonly string[], options: TemplateOptions): ToolError {
  const title = options.name ?? excerpt(source);
  if (thrown instanceof UndefinedNameError) {
    const root = thrown.missing.split(/[.[]/u)[0]!;
    const hint = known.includes(root)
      ? `"${root}" is there, but has no such member; write "${thrown.missing} is defined" to test for it`
      : `${suggestName(root, known)} Use {{ ${root} | default('...') }} where it may be missing`;
    return new ToolError('template', `unknown variable "${thrown.missing}" in template ${title}`, {
      hint,
      cause: thrown,
      location: options.location,
    });
  }
  return new ToolError('template', `template ${title} failed: ${messageOf(thrown)}`, {
    hint: 'prompt templates are Jinja: {{ name }}, {% if %}, {% for %}',
    cause: thrown,
    location: options.location,
  });
}

function excerpt(source: string): string {
  const line = source.trim().split('\n', 1)[0]!;
  return JSON.stringify(line.length > 60 ? `${line.slice(0, 57)}...` : line);
}
