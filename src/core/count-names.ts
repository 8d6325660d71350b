// Counts by name, safe for any name: `constructor` and `__proto__` are names like others.

/** Adds one to a name's count. */
export function addName(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** A plain object with one member per name, in the order given. Unlike an assignment, this makes `__proto__` an ordinary member. */
export function objectOfCounts(counts: Iterable<readonly [string, number]>): Record<string, number> {
  return Object.fromEntries(counts);
}

/** How often each name occurs, in the order of first appearance. */
export function countNames(names: Iterable<string>): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) addName(counts, name);
  return objectOfCounts(counts);
}

/** The member of that name, never one that every object inherits. */
export function memberOf<Value>(members: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
}
