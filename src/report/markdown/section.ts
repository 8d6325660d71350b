// The frame of a part of a Markdown report: a heading over what there is, nothing over nothing.

export function section(title: string, ...parts: readonly (string | null)[]): string {
  const body = parts.filter((part): part is string => part !== null && part !== '');
  return body.length === 0 ? '' : `${title}\n\n${body.join('\n\n')}`;
}

export function rights(count: number): 'right'[] {
  return Array.from({ length: count }, () => 'right');
}
