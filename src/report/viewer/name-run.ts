// A name for a run that has no record yet, in the manner of records: `a, b on x`.

const shown = 3;

function shortened(names: readonly string[]): string {
  return names.length <= shown ? names.join(', ') : `${names.slice(0, shown).join(', ')} and ${names.length - shown} more`;
}

export function nameOfRun(models: readonly string[], tasks: readonly string[]): string {
  return `${shortened(models)} on ${shortened(tasks)}`;
}
