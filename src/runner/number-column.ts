// A growing column of numbers at 8 bytes each, for figures over very many rows.

export class NumberColumn {
  #values = new Float64Array(64);
  #length = 0;

  /** Null is left out. */
  add(value: number | null): void {
    if (value === null) return;
    if (this.#length === this.#values.length) {
      const larger = new Float64Array(this.#length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#length++] = value;
  }

  values(): Float64Array {
    return this.#values.subarray(0, this.#length);
  }
}
