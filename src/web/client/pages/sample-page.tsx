// One sample whole: what was asked, what came back, how it was read, and what was right.
import { type ReactNode, useState } from 'react';
import type { PredictionRow } from '../../../core/prediction.ts';
import { dash, formatDuration, formatFixed } from '../../../report/format-values.ts';
import type { PromptView, SampleDetail } from '../../../report/viewer/viewer-contract.ts';
import { useData } from '../data/data-context.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { OutcomeBadge } from '../parts/badges.tsx';
import { Shown } from '../parts/feedback.tsx';
import { TableFrame } from '../parts/table-frame.tsx';
import { Outside, TextBlock } from '../parts/text.tsx';
import { hashOf, type Route } from '../route.ts';
import { sampleFilterOf } from './sample-filter.ts';

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <section className="part">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Choices({ row }: { readonly row: PredictionRow }): ReactNode {
  const choices = row.choices;
  if (choices === undefined) return null;
  const best = Math.max(...choices.map((choice) => choice.logprob));
  return (
    <Part title="Choices">
      <TableFrame label="Choices">
        <table className="rows compact">
          <thead>
            <tr>
              <th scope="col">Choice</th>
              <th scope="col" className="number">
                log P
              </th>
              <th scope="col" className="number">
                Tokens
              </th>
              <th scope="col" className="number">
                Behind best
              </th>
              <th scope="col">Mark</th>
            </tr>
          </thead>
          <tbody>
            {choices.map((choice, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two choices may have the same text
              <tr key={at}>
                <th scope="row">
                  <Outside text={choice.text} />
                </th>
                <td className="number">{choice.logprob.toFixed(3)}</td>
                <td className="number">{choice.tokens}</td>
                <td className="number">{choice.logprob === best ? dash : (choice.logprob - best).toFixed(3)}</td>
                <td>
                  {row.predictedIndex === at ? 'chosen ' : ''}
                  {row.gold?.includes(at) ? 'gold' : ''}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </Part>
  );
}

function Prompt({ prompt }: { readonly prompt: PromptView }): ReactNode {
  if (prompt.kind === 'unavailable')
    return (
      <p className="muted">
        Cannot be shown: <Outside text={prompt.reason} />.
      </p>
    );
  return (
    <>
      {prompt.parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: turns have no other name
        <div key={at} className="turn">
          <span className="role">{part.role}</span>
          <TextBlock text={part.text} />
        </div>
      ))}
      <p className="muted small">Made again from task and dataset, proven the same by the task's digest; {prompt.note}.</p>
    </>
  );
}

/** Made on request: it needs the dataset. */
function WholePrompt({ id, slot }: { readonly id: string; readonly slot: number }): ReactNode {
  const data = useData();
  const [isWanted, want] = useState(false);
  const loaded = useLoaded(`${id} ${slot} ${isWanted}`, async () => (isWanted ? data.prompt(id, slot) : null));
  if (!data.isLive) return null;
  if (!isWanted)
    return (
      <button type="button" onClick={() => want(true)}>
        Show the whole prompt with examples
      </button>
    );
  return <Shown loaded={loaded}>{(prompt) => (prompt === null ? <p className="muted">Loading…</p> : <Prompt prompt={prompt} />)}</Shown>;
}

function facts(row: PredictionRow): readonly (readonly [string, ReactNode])[] {
  const { usage, timing } = row;
  const number = (value: number | null | undefined): string => (value === null || value === undefined ? dash : value.toLocaleString('en'));
  return [
    ['Model', <Outside key="m" text={row.model} />],
    ['Task', <Outside key="t" text={row.task} />],
    ['Category', <Outside key="c" text={row.category ?? null} />],
    [
      'Item',
      <span key="i" className="mono">
        <Outside text={row.id} />
      </span>,
    ],
    ['Repeat', row.repeat + 1],
    ['Total time', formatDuration(timing.totalMs)],
    ['First token', formatDuration(timing.ttftMs)],
    ['Time per token', timing.tpotMs === null ? dash : `${formatFixed(timing.tpotMs, 2)} ms`],
    ['Prompt tokens', number(usage.promptTokens)],
    ['Answer tokens', number(usage.completionTokens)],
    ['Reasoning tokens', number(usage.reasoningTokens)],
    ['Token counts from', usage.source],
    ['Finish reason', row.finishReason ?? dash],
    ['Origin', row.origin],
  ];
}

function Others({ detail, id, route }: { readonly detail: SampleDetail; readonly id: string; readonly route: Route }): ReactNode {
  if (detail.others.length === 0) return null;
  return (
    <Part title="The same item elsewhere in this run">
      <ul className="plain-list">
        {detail.others.map((other) => (
          <li key={other.slot}>
            <a href={hashOf(['runs', id, 'samples', String(other.slot)], route.query)}>
              <Outside text={other.model} />
              {other.repeat > 0 ? `, repeat ${other.repeat + 1}` : ''}
            </a>{' '}
            <OutcomeBadge outcome={other.outcome} reason={other.reason} /> <Outside text={other.prediction} />
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Answer({ row }: { readonly row: PredictionRow }): ReactNode {
  return (
    <>
      {row.raw === null && row.choices !== undefined ? null : (
        <Part title="Raw output">
          <TextBlock text={row.raw} empty="The model wrote nothing." />
        </Part>
      )}
      {row.reasoning === null ? null : (
        <Part title="Reasoning">
          <TextBlock text={row.reasoning} />
        </Part>
      )}
      {row.cleaned !== null && row.cleaned !== row.raw ? (
        <Part title="Answer part">
          <TextBlock text={row.cleaned} empty="Nothing is left after the reasoning." />
        </Part>
      ) : null}
      {(row.grades ?? []).map((grade) => (
        <Part key={grade.grader} title={`Grader ${grade.grader}`}>
          <p>
            {grade.score === null ? 'not graded' : `score ${grade.score}`} <Outside text={grade.verdict ?? ''} />
          </p>
          {grade.detail === undefined ? null : <TextBlock text={grade.detail} />}
        </Part>
      ))}
      {row.warnings.length === 0 ? null : (
        <Part title="Warnings">
          <ul>
            {row.warnings.map((warning) => (
              <li key={warning}>
                <Outside text={warning} />
              </li>
            ))}
          </ul>
        </Part>
      )}
    </>
  );
}

function Sample({ detail, id, route }: { readonly detail: SampleDetail; readonly id: string; readonly route: Route }): ReactNode {
  const { row, neighbours } = detail;
  const to = (slot: number): string => hashOf(['runs', id, 'samples', String(slot)], route.query);
  return (
    <article className="sample">
      <header className="title">
        <h1>
          <OutcomeBadge outcome={detail.outcome} />
          {detail.score !== null && detail.score !== 0 && detail.score !== 1 ? ` ${detail.score.toFixed(3)}` : ''}
        </h1>
        <span className="grow" />
        <span className="buttons">
          <span className="muted small">
            {neighbours.position < 0
              ? ''
              : `${(neighbours.position + 1).toLocaleString('en')} of ${neighbours.matching.toLocaleString('en')}`}
          </span>
          {neighbours.previous === null ? null : (
            <a className="button" data-shortcut="previous-page" href={to(neighbours.previous)}>
              Previous
            </a>
          )}
          {neighbours.next === null ? null : (
            <a className="button" data-shortcut="next-page" href={to(neighbours.next)}>
              Next
            </a>
          )}
        </span>
      </header>
      <div className="verdict-grid">
        <div>
          <h2>Read as</h2>
          <TextBlock text={row.prediction} empty="no answer" />
          <p className="muted small">
            {row.extractedBy === null ? (
              'no rule fired'
            ) : (
              <>
                rule{' '}
                <code>
                  <Outside text={row.extractedBy} />
                </code>
              </>
            )}
            {row.outcome.kind === 'scored' ? null : (
              <>
                {' '}
                · <OutcomeBadge outcome={detail.outcome} reason={reasonOf(row)} />
              </>
            )}
          </p>
        </div>
        <div>
          <h2>Gold</h2>
          <TextBlock text={row.label} empty="none" />
          {(row.references?.length ?? 0) > 1 ? (
            <p className="muted small">
              also accepted: <Outside text={row.references!.filter((reference) => reference !== row.label).join(' · ')} />
            </p>
          ) : null}
        </div>
      </div>
      <Part title="Question">
        <TextBlock text={row.instruction} />
        <WholePrompt key={detail.slot} id={id} slot={detail.slot} />
      </Part>
      <Answer row={row} />
      <Choices row={row} />
      <Others detail={detail} id={id} route={route} />
      <Part title="Facts">
        <dl className="facts">
          {facts(row).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Part>
    </article>
  );
}

function reasonOf({ outcome }: PredictionRow): string | null {
  if (outcome.kind === 'invalid') return outcome.detail === undefined ? outcome.reason : `${outcome.reason}: ${outcome.detail}`;
  if (outcome.kind === 'error') return `${outcome.class}: ${outcome.message}`;
  return outcome.kind === 'skipped' ? outcome.reason : null;
}

export function SamplePage({ id, slot, route }: { readonly id: string; readonly slot: number; readonly route: Route }): ReactNode {
  const data = useData();
  const filter = sampleFilterOf(route.query);
  const loaded = useLoaded(JSON.stringify([id, slot, filter]), () => data.sample(id, slot, filter));
  return (
    <>
      <p className="crumbs">
        <a href={hashOf(['runs', id])}>{id}</a> <span aria-hidden="true">›</span>{' '}
        <a href={hashOf(['runs', id, 'samples'], route.query)}>Samples</a>
      </p>
      <Shown loaded={loaded}>{(detail) => <Sample detail={detail} id={id} route={route} />}</Shown>
    </>
  );
}
