// The first thing on the page: which model, why, and what could be said against it.
import type { Decision } from '../decision.ts';
import type { ReportView } from '../view-model.ts';
import { Name } from './name.tsx';
import { visibleText } from './visible-text.ts';

export interface DecisionHeaderProps {
  readonly view: ReportView;
  readonly decision: Decision;
}

function Origin({ view }: { readonly view: ReportView }) {
  const [first] = view.records;
  if (first === undefined) return <p className="eyebrow">slmbench report</p>;
  const more = view.records.length > 1 ? ` and ${view.records.length - 1} more` : '';
  return (
    <p className="eyebrow">
      slmbench report <span aria-hidden="true">·</span> <Name>{first.name}</Name> <span aria-hidden="true">·</span>{' '}
      <time dateTime={first.created}>{first.created.slice(0, 16).replace('T', ' ')} UTC</time> <span aria-hidden="true">·</span> run{' '}
      <code>{visibleText(first.id)}</code>
      {more}
    </p>
  );
}

export function DecisionHeader({ view, decision }: DecisionHeaderProps) {
  const { before, model, after, reasons, alternatives, cautions } = decision;
  return (
    <header className="masthead">
      <Origin view={view} />
      <h1>
        {before === '' ? null : `${before} `}
        {model === null ? null : (
          <em>
            <Name>{model}</Name>
          </em>
        )}
        {after === '' ? null : ` ${after}`}
      </h1>
      {reasons.map((reason) => (
        <p key={reason} className="lede">
          {visibleText(reason)}
        </p>
      ))}
      {alternatives.length === 0 ? null : (
        <dl className="alternatives">
          {alternatives.map((one) => (
            <div key={one.label}>
              <dt>{one.label}</dt>
              <dd>
                <strong>
                  <Name>{one.model}</Name>
                </strong>
                <span>{visibleText(one.text)}</span>
              </dd>
            </div>
          ))}
        </dl>
      )}
      {cautions.length === 0 ? null : (
        <ul className="cautions">
          {cautions.map((caution) => (
            <li key={caution}>{visibleText(caution)}</li>
          ))}
        </ul>
      )}
    </header>
  );
}
