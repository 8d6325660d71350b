// A table of things that can be named, with its JSON form.
export interface Listing {
  readonly name: string;
  readonly title: string;
  readonly columns: readonly { readonly title: string; readonly numeric?: boolean }[];
  readonly rows: readonly (readonly string[])[];
  readonly json: unknown;
}

export function column(title: string, numeric = false) {
  return { title, numeric };
}
