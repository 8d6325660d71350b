// Whether Python's `json.loads` accepts a text: JSON, and also NaN, Infinity and -Infinity.

/** Non-standard numbers are replaced outside of strings before the standard parser decides. */
export function isPythonJson(text: string): boolean {
  const standard = text.replace(/"(?:[^"\\]|\\[\s\S])*"|-?\bInfinity\b|\bNaN\b/gu, (part) => (part.startsWith('"') ? part : '0'));
  try {
    JSON.parse(standard);
    return true;
  } catch {
    return false;
  }
}
