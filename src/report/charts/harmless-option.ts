// Texts that a chart can draw without harm. The drawing library remembers the width of every text in a plain object under the text itself: a
// model named `__proto__` or `constructor` would there be found as what every object inherits, and written into it.

const inherited = new RegExp(`(?<![\\w$])(?:${Object.getOwnPropertyNames(Object.prototype).join('|')})(?![\\w$])`, 'g');
/** Has no width and breaks no line. */
const wordJoiner = '\u2060';

function harmlessText(text: string): string {
  return text.replace(inherited, (name) => `${name[0]}${wordJoiner}${name.slice(1)}`);
}

function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The same option with every text made harmless, also those that its functions give back. Names of members stay as they are. */
export function harmlessOption<Value>(value: Value): Value {
  if (typeof value === 'string') return harmlessText(value) as Value;
  if (Array.isArray(value)) return value.map(harmlessOption) as Value;
  if (typeof value === 'function')
    return ((...args: unknown[]) => harmlessOption((value as (...all: unknown[]) => unknown)(...args))) as Value;
  if (typeof value !== 'object' || value === null || !isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, harmlessOption(member)])) as Value;
}
