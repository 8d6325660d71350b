// Entities (label and span) in model output and references: reading, verifying against the text, and matching.
import { z } from 'zod';

const entitySchema = z.looseObject({
  label: z.string(),
  text: z.string().optional(),
  start: z.number().int().nonnegative().optional(),
  end: z.number().int().nonnegative().optional(),
});

export interface Entity {
  readonly label: string;
  readonly text: string;
  /** Code point offsets [start, end) into the text, or null where no text was given. */
  readonly span: readonly [start: number, end: number] | null;
}

/**
 * Reads one entity `{label, text, start, end}` (`type` serves for `label`) from its JSON. Offsets that do not hold the stated text
 * are replaced where the text occurs exactly once; otherwise the entity is null: it names nothing in the text.
 */
export function readEntity(json: string, text: readonly string[] | null): Entity | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null;
  }
  const renamed =
    typeof value === 'object' && value !== null && 'type' in value && !('label' in value) ? { ...value, label: value.type } : value;
  const parsed = entitySchema.safeParse(renamed);
  if (!parsed.success) return null;
  const { label, start, end } = parsed.data;
  if (text === null) {
    const span = start !== undefined && end !== undefined && end > start ? ([start, end] as const) : null;
    return span === null && parsed.data.text === undefined ? null : { label, text: parsed.data.text ?? '', span };
  }
  return locate(label, parsed.data.text, start, end, text);
}

function locate(
  label: string,
  stated: string | undefined,
  start: number | undefined,
  end: number | undefined,
  text: readonly string[],
): Entity | null {
  const hasSpan = start !== undefined && end !== undefined && start < end && end <= text.length;
  if (hasSpan) {
    const found = text.slice(start, end).join('');
    if (stated === undefined || stated === found) return { label, text: found, span: [start, end] };
  }
  if (stated === undefined || stated === '') return null;
  const at = occurrences(text, [...stated]);
  return at.length === 1 ? { label, text: stated, span: [at[0]!, at[0]! + [...stated].length] } : null;
}

/** The first two places where the needle stands. */
function occurrences(text: readonly string[], needle: readonly string[]): number[] {
  const found: number[] = [];
  for (let at = 0; at + needle.length <= text.length && found.length < 2; at++) {
    if (needle.every((character, index) => text[at + index] === character)) found.push(at);
  }
  return found;
}

/** Matches of predicted with gold entities of the same label. Each entity matches at most once; exact spans go first. */
export function matchEntities(
  predicted: readonly Entity[],
  gold: readonly Entity[],
): { readonly exact: number; readonly overlapping: number } {
  const leftPredicted: Entity[] = [];
  const leftGold = [...gold];
  let exact = 0;
  for (const entity of predicted) {
    const at = leftGold.findIndex((other) => isSame(entity, other));
    if (at < 0) leftPredicted.push(entity);
    else {
      leftGold.splice(at, 1);
      exact++;
    }
  }
  let overlapping = 0;
  for (const entity of leftPredicted) {
    const at = leftGold.findIndex((other) => entity.label === other.label && overlap(entity, other));
    if (at < 0) continue;
    leftGold.splice(at, 1);
    overlapping++;
  }
  return { exact, overlapping };
}

function isSame(a: Entity, b: Entity): boolean {
  if (a.label !== b.label) return false;
  return a.span === null || b.span === null ? a.text === b.text : a.span[0] === b.span[0] && a.span[1] === b.span[1];
}

function overlap(a: Entity, b: Entity): boolean {
  if (a.span === null || b.span === null) return a.text !== '' && b.text !== '' && (a.text.includes(b.text) || b.text.includes(a.text));
  return a.span[0] < b.span[1] && b.span[0] < a.span[1];
}
