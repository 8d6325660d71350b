// IFEval rows: instruction ids and their arguments without the empty ones that the data carries for other instructions.
import type { Json, JsonObject } from '../../core/json.ts';

/** Adds `instructions`: one `{ id, kwargs }` for each instruction, falsy arguments dropped as the original does. */
export function ifeval(fields: JsonObject): JsonObject {
  const ids = Array.isArray(fields['instruction_id_list']) ? fields['instruction_id_list'] : [];
  const all = Array.isArray(fields['kwargs']) ? fields['kwargs'] : [];
  return { instructions: ids.map((id: Json, index) => ({ id, kwargs: withoutEmpty(all[index] ?? null) })) };
}

function withoutEmpty(value: Json): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const isEmpty = (item: Json | undefined): boolean =>
    item === undefined || item === null || item === 0 || item === '' || item === false || (Array.isArray(item) && item.length === 0);
  return Object.fromEntries(Object.entries(value as JsonObject).filter(([, item]) => !isEmpty(item)));
}
