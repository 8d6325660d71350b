// Which choices no other choice beats on every count.

/**
 * Keeps the items that no other item dominates. An item dominates another when it is at least as good on every axis and better on one.
 * @param axesOf - numbers where higher is better, all of one length; null (not measured) keeps the item out
 */
export function paretoFront<Item>(items: readonly Item[], axesOf: (item: Item) => readonly number[] | null): Item[] {
  const known = items.flatMap((item) => {
    const axes = axesOf(item);
    return axes === null ? [] : [{ item, axes }];
  });
  const dominates = (a: readonly number[], b: readonly number[]): boolean =>
    a.every((value, index) => value >= b[index]!) && a.some((value, index) => value > b[index]!);
  return known.filter(({ axes }) => !known.some((other) => dominates(other.axes, axes))).map(({ item }) => item);
}
