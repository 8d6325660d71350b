// Writes a recipe as YAML for people: the schema line first, no anchors, long lines left whole.
import { stringify } from 'yaml';

/** @param comments - lines that open the file */
export function recipeYaml(value: Readonly<Record<string, unknown>>, comments: readonly string[] = []): string {
  const head = comments.map((line) => `# ${line.replace(/[\r\n]+/g, ' ')}\n`).join('');
  return head + stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}
