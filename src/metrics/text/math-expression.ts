// Evaluates closed arithmetic in LaTeX or plain notation: + - * / ^ ! brackets, \frac, \sqrt, \pi, e; null for anything else.

type Token = { readonly kind: 'number'; readonly value: number } | { readonly kind: 'symbol'; readonly text: string };

const lexer =
  /\s+|(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)|(\\(?:frac|sqrt|cdot|times|div|pi|binom|pm)|\*\*|[-+*/^!(){}[\]|]|π|√|×|÷|·|sqrt|pi)/gy;

const renamed: Readonly<Record<string, string>> = {
  '\\cdot': '*',
  '\\times': '*',
  '×': '*',
  '·': '*',
  '\\div': '/',
  '÷': '/',
  '**': '^',
  '\\pi': 'pi',
  π: 'pi',
  '√': '\\sqrt',
  sqrt: '\\sqrt',
};

function tokenize(text: string): Token[] | null {
  const tokens: Token[] = [];
  lexer.lastIndex = 0;
  while (lexer.lastIndex < text.length) {
    const hit = lexer.exec(text);
    if (hit === null) return null;
    if (hit[1] !== undefined) tokens.push({ kind: 'number', value: Number(hit[1].replaceAll(',', '')) });
    else if (hit[2] !== undefined) tokens.push({ kind: 'symbol', text: renamed[hit[2]] ?? hit[2] });
  }
  return tokens;
}

class Unreadable extends Error {}

/** Recursive descent; depth is bounded so that hostile nesting cannot exhaust the stack. */
class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): number {
    const value = this.#sum();
    if (this.#at < this.#tokens.length) throw new Unreadable();
    return value;
  }

  #peek(): string | null {
    const token = this.#tokens[this.#at];
    return token?.kind === 'symbol' ? token.text : null;
  }

  #take(text: string): boolean {
    if (this.#peek() !== text) return false;
    this.#at++;
    return true;
  }

  #sum(): number {
    if (++this.#depth > 100) throw new Unreadable();
    let value = this.#product();
    for (;;) {
      if (this.#take('+')) value += this.#product();
      else if (this.#take('-')) value -= this.#product();
      else break;
    }
    this.#depth--;
    return value;
  }

  #product(): number {
    let value = this.#signed();
    for (;;) {
      if (this.#take('*')) value *= this.#signed();
      else if (this.#take('/')) value /= this.#signed();
      else if (this.#startsFactor()) value *= this.#power();
      else return value;
    }
  }

  #startsFactor(): boolean {
    const token = this.#tokens[this.#at];
    // Two numbers side by side are no product: `3 1/2` was read as a mixed number before.
    if (token?.kind === 'number') return this.#tokens[this.#at - 1]?.kind !== 'number';
    return token !== undefined && ['(', '{', '[', '\\frac', '\\sqrt', 'pi', '\\binom'].includes(token.text);
  }

  #signed(): number {
    let sign = 1;
    for (;;) {
      if (this.#take('-')) sign = -sign;
      else if (!this.#take('+')) return sign * this.#power();
    }
  }

  #power(): number {
    if (++this.#depth > 100) throw new Unreadable();
    let value = this.#atom();
    while (this.#take('!')) value = factorial(value);
    if (this.#take('^')) value **= this.#signed();
    this.#depth--;
    return value;
  }

  #group(open: string, close: string): number {
    if (!this.#take(open)) throw new Unreadable();
    const value = this.#sum();
    if (!this.#take(close)) throw new Unreadable();
    return value;
  }

  #atom(): number {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw new Unreadable();
    if (token.kind === 'number') {
      this.#at++;
      return token.value;
    }
    if (token.text === '(') return this.#group('(', ')');
    if (token.text === '{') return this.#group('{', '}');
    if (token.text === '[') return this.#group('[', ']');
    if (this.#take('pi')) return Math.PI;
    if (this.#take('\\frac')) return this.#group('{', '}') / this.#group('{', '}');
    if (this.#take('\\binom')) return choose(this.#group('{', '}'), this.#group('{', '}'));
    if (this.#take('\\sqrt')) {
      const degree = this.#peek() === '[' ? this.#group('[', ']') : 2;
      const radicand = this.#atom();
      return degree === 2 ? Math.sqrt(radicand) : degree === 3 ? Math.cbrt(radicand) : radicand ** (1 / degree);
    }
    throw new Unreadable();
  }
}

function factorial(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value > 170) throw new Unreadable();
  let product = 1;
  for (let factor = 2; factor <= value; factor++) product *= factor;
  return product;
}

function choose(n: number, k: number): number {
  return factorial(n) / (factorial(k) * factorial(n - k));
}

/** The value of a closed expression, or null where the text is something else (a variable, words, an undefined value). */
export function evaluateExpression(text: string): number | null {
  if (text.length > 500) return null;
  const tokens = tokenize(text.trim());
  if (tokens === null || tokens.length === 0) return null;
  try {
    const value = new Parser(tokens).parse();
    return Number.isFinite(value) ? value : null;
  } catch (thrown) {
    if (thrown instanceof Unreadable) return null;
    throw thrown;
  }
}
