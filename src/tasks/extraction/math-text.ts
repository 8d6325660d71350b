// Brings a written mathematical answer to one spelling: LaTeX wrappers, spacing, fraction and root forms, units, degrees and percent signs.

import { closingBrace } from './boxed.ts';
import { foldText } from './fold-text.ts';

const unit =
  '(?:square |cubic |sq\\.? ?|cu\\.? ?)?(?:cm|mm|km|m|in|inch|inches|ft|foot|feet|yd|yards?|miles?|mph|kph|meters?|metres?|centimeters?|kilometers?|kg|g|grams?|kilograms?|lbs?|pounds?|oz|ounces?|hours?|hrs?|h|minutes?|mins?|seconds?|secs?|s|days?|weeks?|months?|years?|dollars?|cents?|usd|euros?|units?|degrees?|radians?|percent|people|students|ways|apples|liters?|litres?|ml|l)(?:\\^\\{?[23]\\}?)?';
const trailingUnit = new RegExp(`(?<=[\\d})!i])\\s*(?:${unit})(?:\\s*(?:/|per)\\s*(?:${unit}))?\\.?$`, 'i');

/** One spelling, without spaces. Text that holds no mathematics comes back in lower case. */
export function mathText(raw: string): string {
  let text = foldText(raw.length > 4000 ? raw.slice(0, 4000) : raw).trim();
  text = unwrap(text).replace(/\\\\(?!\s*$)/g, '\u0001');
  text = text
    .replace(/\\(?:left|right|displaystyle|textstyle|limits|quad|qquad|bigl?|bigr?|Bigl?|Bigr?)(?![a-zA-Z])\.?/g, ' ')
    .replace(/\\[,;:! ]|~|\\\\(?=\s*$)/g, ' ')
    .replace(/\{,\}/g, ',')
    .replace(/\\[dtc]frac/g, '\\frac')
    .replace(/\^\s*\{?\s*\\circ\s*\}?|°|\\degree(?:s)?/g, '')
    .replace(/\\%|%/g, '')
    .replace(/\\\$|\$/g, '')
    .replace(/[€£¥]/g, '');
  text = dropUnits(text);
  return symbols(text)
    .replace(/\s+/g, '')
    .replace(/\u0001/g, '\\\\')
    .replace(/[.,;]$/, '');
}

/** Takes off math delimiters, boxes and one name such as `x =` or `f(x) =`. */
function unwrap(text: string): string {
  let inner = text;
  for (let round = 0; round < 6; round++) {
    const before = inner;
    inner = inner.replace(/^(?:\\\(|\\\[|\$\$?)\s*|\s*(?:\\\)|\\\]|\$\$?)[.,]?$/g, '').trim();
    const box = /^\\(?:boxed|fbox|mathbf|mathrm|textbf|text)\s*(?=\{)/.exec(inner);
    if (box !== null && closingBrace(inner, box[0].length) === inner.length - 1) inner = inner.slice(box[0].length + 1, -1).trim();
    if (inner === before) break;
  }
  return inner
    .replace(/^(?:the )?answer(?: is)?:?\s+/i, '')
    .replace(/^[a-zA-Z](?:_\{?\w{1,3}\}?)?(?:\([a-z]\))?\s*=\s*(?=[^=])/, '')
    .replace(/\.$/, '');
}

/** `\text{ cm}^2` after a quantity goes; `\text{Monday}` alone keeps its word. */
function dropUnits(text: string): string {
  let plain = text.replace(
    /(?<=\S)\s*\\(?:text|mathrm|textrm|mbox|operatorname)\s*\{\s*([^{}]*)\}(?:\s*\^\s*\{?\d\}?)?/g,
    (_, words: string) => (/^(?:and|or|if|,|\s)+$/i.test(words.trim()) ? `,` : /^[a-z]/i.test(words.trim()) ? ' ' : words),
  );
  plain = plain.replace(/\\(?:text|mathrm|mathbf|textbf|mathit|mbox|operatorname|mathbb|mathcal)\s*\{([^{}]*)\}/g, '$1');
  const without = plain.replace(trailingUnit, '').trim();
  return without === '' ? plain : without;
}

function symbols(text: string): string {
  return text
    .replace(/\\(?:cdot|times|ast)(?![a-zA-Z])|[×·⋅]/g, '*')
    .replace(/\\div(?![a-zA-Z])|÷/g, '/')
    .replace(/\\(?:geqslant|geq|ge)(?![a-zA-Z])|≥/g, '>=')
    .replace(/\\(?:leqslant|leq|le)(?![a-zA-Z])|≤/g, '<=')
    .replace(/\\(?:neq|ne)(?![a-zA-Z])|≠/g, '!=')
    .replace(/\\(?:gt)(?![a-zA-Z])/g, '>')
    .replace(/\\(?:lt)(?![a-zA-Z])/g, '<')
    .replace(/\\infty|∞|\binfinity\b/g, 'inf')
    .replace(/\\cup|∪/g, 'U')
    .replace(/\\pm|±/g, '±')
    .replace(/\\pi(?![a-zA-Z])|π/g, '\\pi ')
    .replace(/√\s*(\d+|\w)/g, '\\sqrt{$1}')
    .replace(/√/g, '\\sqrt')
    .replace(/\bsqrt\s*\(([^()]*)\)/g, '\\sqrt{$1}')
    .replace(/\\sqrt\s*(\w)/g, '\\sqrt{$1}')
    .replace(/\\frac\s*(\d)\s*(\d)/g, '\\frac{$1}{$2}')
    .replace(/\\frac\s*(\d)\s*\{/g, '\\frac{$1}{')
    .replace(/(\\frac\s*\{[^{}]*\})\s*(\w)/g, '$1{$2}')
    .replace(/\*\*/g, '^');
}
