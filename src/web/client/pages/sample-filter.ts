// The filter of the sample explorer as it stands in the address.
import type { SampleOutcome, SampleSort } from '../../../report/viewer/viewer-contract.ts';
import type { SampleFilterQuery } from '../data/viewer-data.ts';

const outcomes: readonly SampleOutcome[] = ['right', 'wrong', 'partial', 'scored', 'invalid', 'error', 'skipped'];
const sorts: readonly SampleSort[] = ['plan', 'slowest', 'fastest', 'lowest'];

export function sampleFilterOf(query: URLSearchParams): SampleFilterQuery {
  const value = (key: string): string | undefined => query.get(key) ?? undefined;
  return {
    model: value('model'),
    task: value('task'),
    outcome: outcomes.find((outcome) => outcome === query.get('outcome')),
    category: value('category'),
    flip: value('flip'),
    text: value('text'),
    sort: sorts.find((sort) => sort === query.get('sort')),
  };
}
