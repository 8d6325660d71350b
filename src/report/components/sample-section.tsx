// Samples: a short list for every reader, and the frame of the explorer that the page's script fills.
import { categoriesOf, type ExplorerData, type ExplorerItem } from '../explorer-data.ts';
import { SampleView } from './sample-view.tsx';
import { visibleText } from './visible-text.ts';

/** The static list: a few of every kind, telling ones first. */
const staticItems = 30;

function choose(items: readonly ExplorerItem[]): ExplorerItem[] {
  const kind = ({ answers }: ExplorerItem): number => {
    const verdicts = new Set(answers.map(({ verdict }) => verdict));
    return verdicts.has('right') && verdicts.size > 1 ? 0 : verdicts.has('right') ? 2 : 1;
  };
  const byKind = Map.groupBy(items, kind);
  const share = Math.ceil(staticItems / Math.max(1, byKind.size));
  return [0, 1, 2].flatMap((at) => (byKind.get(at) ?? []).slice(0, share)).slice(0, staticItems);
}

function Select({
  name,
  label,
  options,
}: {
  readonly name: string;
  readonly label: string;
  readonly options: readonly (readonly [string, string])[];
}) {
  return (
    <label>
      <span>{label}</span>
      <select name={name}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {visibleText(text)}
          </option>
        ))}
      </select>
    </label>
  );
}

function Filters({ data }: { readonly data: ExplorerData }) {
  const categories = categoriesOf(data);
  return (
    <form className="filters" aria-label="Filter samples">
      <label className="search">
        <span>Search</span>
        <input name="text" type="search" placeholder="question, answer, gold, id" autoComplete="off" spellCheck={false} />
      </label>
      <Select name="task" label="Task" options={[['', 'all tasks'], ...data.tasks.map((task, index) => [String(index), task] as const)]} />
      <Select
        name="model"
        label="Model"
        options={[['', 'any model'], ...data.models.map((model, index) => [String(index), model] as const)]}
      />
      <Select
        name="verdict"
        label="Outcome"
        options={[
          ['', 'any outcome'],
          ['right', 'right'],
          ['wrong', 'wrong'],
          ['invalid', 'invalid'],
          ['error', 'error'],
          ['truncated', 'truncated'],
        ]}
      />
      {categories.length === 0 ? null : (
        <Select
          name="category"
          label="Category"
          options={[['', 'all categories'], ...categories.map((category, index) => [String(index), category] as const)]}
        />
      )}
      <Select
        name="order"
        label="Order"
        options={[
          ['', 'as run'],
          ['slowest', 'slowest first'],
          ['longest', 'longest output first'],
        ]}
      />
      <label className="check">
        <input name="flipped" type="checkbox" value="1" /> <span>models disagree</span>
      </label>
    </form>
  );
}

export function SampleSection({ data }: { readonly data: ExplorerData }) {
  const { keptAnswers, totalAnswers } = data;
  return (
    <>
      <p className="note">
        {keptAnswers === totalAnswers
          ? `${totalAnswers.toLocaleString('en')} answers to ${data.items.length.toLocaleString('en')} questions.`
          : `${keptAnswers.toLocaleString('en')} of ${totalAnswers.toLocaleString('en')} answers are in this file, the telling ones first; slmbench view has them all.`}
      </p>
      <div className="explorer" id="explorer" hidden>
        <Filters data={data} />
        <p className="count" role="status" aria-live="polite" />
        <div className="panes">
          <div className="list" role="listbox" aria-label="Samples" tabIndex={0} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard */}
          <section className="detail" aria-label="Sample" tabIndex={0} />
        </div>
      </div>
      <div className="static-samples">
        {choose(data.items).map((item) => (
          <SampleView key={`${item.task} ${item.id}`} item={item} data={data} />
        ))}
      </div>
    </>
  );
}
