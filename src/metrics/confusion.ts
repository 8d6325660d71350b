// Counts of (gold label, predicted label), kept sparse, so that reports and their bootstrap cost cells instead of rows.

export interface Confusion {
  readonly labels: readonly string[];
  /** Gold class per cell; `labels.length` stands for a gold label outside the set. */
  readonly gold: Int32Array;
  /** Predicted class per cell; `labels.length` stands for an invalid prediction. */
  readonly predicted: Int32Array;
  /** 1 where the prediction equals the gold label. */
  readonly correct: Uint8Array;
  readonly counts: Float64Array;
  /** Cell of each row, in order of adding. */
  readonly cellOfRow: Int32Array;
  readonly total: number;
}

export interface LabelPairs {
  /** `predicted` null = no valid answer. Equality is exact: case and spaces count. */
  readonly add: (gold: string, predicted: string | null) => void;
  readonly size: () => number;
  /** `labels`: the declared ones in order; undefined = sorted distinct gold labels; `union` = gold and predicted ones, sorted. */
  readonly confusion: (labels: readonly string[] | 'union' | undefined) => Confusion;
}

const invalidCode = -1;

/** By code unit, so that the order is the same on every machine. */
function sorted(labels: Iterable<string>): string[] {
  return [...labels].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
}

/** A growing list of small integers without the cost of boxed arrays. */
class Codes {
  private values = new Int32Array(1024);
  length = 0;
  push(code: number): void {
    if (this.length === this.values.length) {
      const larger = new Int32Array(this.values.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = code;
  }
  view(): Int32Array {
    return this.values.subarray(0, this.length);
  }
}

/** Collects label pairs row by row. */
export function createLabelPairs(): LabelPairs {
  const codeOf = new Map<string, number>();
  const texts: string[] = [];
  const gold = new Codes();
  const predicted = new Codes();
  const code = (text: string): number => {
    let known = codeOf.get(text);
    if (known === undefined) {
      known = texts.length;
      codeOf.set(text, known);
      texts.push(text);
    }
    return known;
  };
  return {
    add: (goldText, predictedText) => {
      const goldCode = code(goldText);
      gold.push(goldCode);
      predicted.push(predictedText === null ? invalidCode : predictedText === goldText ? goldCode : code(predictedText));
    },
    size: () => gold.length,
    confusion: (wanted) => {
      const labels =
        wanted === 'union'
          ? sorted(texts)
          : wanted === undefined
            ? sorted(new Set(Array.from(new Set(gold.view()), (known) => texts[known]!)))
            : [...new Set(wanted)];
      return tabulate(gold.view(), predicted.view(), labels, codeOf);
    },
  };
}

function tabulate(gold: Int32Array, predicted: Int32Array, labels: readonly string[], codeOf: ReadonlyMap<string, number>): Confusion {
  const outside = labels.length;
  const classOf = new Int32Array(codeOf.size).fill(outside);
  labels.forEach((label, index) => {
    const known = codeOf.get(label);
    if (known !== undefined) classOf[known] = index;
  });
  const cellOfRow = new Int32Array(gold.length);
  const cellOfKey = keyTable((outside + 1) * (outside + 1) + 1);
  const cells: { gold: number; predicted: number; correct: number; count: number }[] = [];
  for (let row = 0; row < gold.length; row++) {
    const goldClass = classOf[gold[row]!]!;
    const predictedClass = predicted[row] === invalidCode ? outside : classOf[predicted[row]!]!;
    const correct = gold[row] === predicted[row] ? 1 : 0;
    // A right answer outside the declared labels shares row and column with wrong ones: it gets a key of its own.
    const key = correct === 1 && goldClass === outside ? (outside + 1) * (outside + 1) : goldClass * (outside + 1) + predictedClass;
    let cell = cellOfKey.get(key);
    if (cell < 0) {
      cell = cells.length;
      cells.push({ gold: goldClass, predicted: predictedClass, correct, count: 0 });
      cellOfKey.set(key, cell);
    }
    cells[cell]!.count++;
    cellOfRow[row] = cell;
  }
  return {
    labels,
    gold: Int32Array.from(cells, (cell) => cell.gold),
    predicted: Int32Array.from(cells, (cell) => cell.predicted),
    correct: Uint8Array.from(cells, (cell) => cell.correct),
    counts: Float64Array.from(cells, (cell) => cell.count),
    cellOfRow,
    total: gold.length,
  };
}

/** Key to cell number: an array for ordinary label sets, a map where the square of the labels would not fit. */
function keyTable(keys: number): { readonly get: (key: number) => number; readonly set: (key: number, cell: number) => void } {
  if (keys <= 4_000_000) {
    const table = new Int32Array(keys).fill(-1);
    return {
      get: (key) => table[key]!,
      set: (key, cell) => {
        table[key] = cell;
      },
    };
  }
  const map = new Map<number, number>();
  return {
    get: (key) => map.get(key) ?? -1,
    set: (key, cell) => {
      map.set(key, cell);
    },
  };
}

/** The full matrix: rows = gold labels, columns = predicted labels and a last column for invalid predictions. */
export function confusionMatrix(confusion: Confusion): number[][] {
  const size = confusion.labels.length;
  const matrix = Array.from({ length: size }, () => new Array<number>(size + 1).fill(0));
  for (let cell = 0; cell < confusion.counts.length; cell++) {
    const gold = confusion.gold[cell]!;
    if (gold < size) matrix[gold]![confusion.predicted[cell]!]! += confusion.counts[cell]!;
  }
  return matrix;
}
