// One task of a comparison: who is better, how sure that is, what it costs, and which answers changed sides.
import type { ReactNode } from 'react';
import { dash, formatFixed } from '../../../report/format-values.ts';
import type { ComparedResult, ComparedTask } from '../../../report/viewer/viewer-contract.ts';
import { Mark } from '../parts/badges.tsx';
import { IntervalBar, MetricCell } from '../parts/metric.tsx';
import { TableFrame } from '../parts/table-frame.tsx';
import { Outside } from '../parts/text.tsx';
import { changeQuery, hashOf, type Route } from '../route.ts';
import { FlipsTable } from './flips-table.tsx';

const verdictTones: Readonly<Record<string, string>> = { better: 'good', worse: 'bad', baseline: 'quiet' };

function isShare(result: ComparedResult): boolean {
  return result.primary?.unit === 'fraction';
}

function signed(value: number, result: ComparedResult): string {
  const share = isShare(result);
  return `${value > 0 ? '+' : ''}${share ? (value * 100).toFixed(1) : value.toFixed(4)}`;
}

function Difference({ result }: { readonly result: ComparedResult }): ReactNode {
  if (result.difference === null) return <span className="muted">{dash}</span>;
  return (
    <span className="metric">
      <b>
        {signed(result.difference, result)}
        {isShare(result) ? ' pp' : ''}
      </b>
      {result.interval === null ? null : (
        <span className="muted range">
          {signed(result.interval.low, result)} to {signed(result.interval.high, result)}
        </span>
      )}
    </span>
  );
}

function ratio(value: number | null): string {
  return value === null ? dash : `${formatFixed(value, 2)}×`;
}

function pText(p: number | null): string {
  return p === null ? dash : p < 0.001 ? '< 0.001' : p.toFixed(3);
}

function Row({
  result,
  compared,
  route,
}: {
  readonly result: ComparedResult;
  readonly compared: ComparedTask;
  readonly route: Route;
}): ReactNode {
  const flips = result.gained === null || result.lost === null ? null : result.gained + result.lost;
  const isOpen = route.query.get('flips') === compared.task && route.query.get('against') === result.label;
  return (
    <tr data-row={result.label}>
      <th scope="row">
        <a href={hashOf(['runs', result.run])} data-open>
          <Outside text={result.label} />
        </a>
      </th>
      <td>
        <span className="with-bar">
          {isShare(result) ? <IntervalBar metric={result.primary} /> : null}
          <MetricCell metric={result.primary} />
        </span>
      </td>
      <td>
        <Difference result={result} />
      </td>
      <td className="number">{pText(result.adjustedP)}</td>
      <td>
        <Mark tone={verdictTones[result.verdict] ?? 'quiet'}>{result.verdict}</Mark>
      </td>
      <td className="nowrap">
        {flips === null ? (
          <span className="muted">{dash}</span>
        ) : (
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() =>
              changeQuery(route, isOpen ? { flips: null, against: null } : { flips: compared.task, against: result.label, offset: null })
            }
          >
            +{result.gained} / −{result.lost}
          </button>
        )}
      </td>
      <td className="number">{ratio(result.latencyRatio)}</td>
      <td className="number">{ratio(result.memoryRatio)}</td>
      <td className="number">{ratio(result.decodeRateRatio)}</td>
    </tr>
  );
}

function Categories({ compared }: { readonly compared: ComparedTask }): ReactNode {
  const shown = compared.results.filter((result) => result.categories.length > 0);
  if (shown.length === 0) return null;
  return (
    <details>
      <summary>By category</summary>
      {shown.map((result) => (
        <TableFrame key={result.label} label={`${result.label} by category`}>
          <table className="rows compact">
            <caption>
              <Outside text={result.label} /> against <Outside text={compared.baseline} />
            </caption>
            <thead>
              <tr>
                <th scope="col">Category</th>
                <th scope="col" className="number">
                  Items
                </th>
                <th scope="col" className="number">
                  Difference
                </th>
              </tr>
            </thead>
            <tbody>
              {[...result.categories]
                .sort((a, b) => Math.abs(b.difference ?? 0) - Math.abs(a.difference ?? 0))
                .map((category) => (
                  <tr key={category.category}>
                    <th scope="row">
                      <Outside text={category.category} />
                    </th>
                    <td className="number">{category.n}</td>
                    <td className="number">
                      {category.difference === null ? dash : `${signed(category.difference, result)}${isShare(result) ? ' pp' : ''}`}
                    </td>
                  </tr>
                ))}
            </tbody>
          </table>
        </TableFrame>
      ))}
    </details>
  );
}

export function ComparedTaskCard({ compared, route }: { readonly compared: ComparedTask; readonly route: Route }): ReactNode {
  const base = compared.results.find((result) => result.label === compared.baseline);
  const against =
    route.query.get('flips') === compared.task ? compared.results.find((result) => result.label === route.query.get('against')) : undefined;
  return (
    <section className="card" aria-label={compared.task}>
      <header className="title">
        <h2>
          <Outside text={compared.title} />{' '}
          <span className="muted small mono">
            <Outside text={compared.task} />
          </span>
        </h2>
      </header>
      <p className="verdict">
        <Outside text={compared.sentence} />
      </p>
      <TableFrame label={`Comparison on ${compared.task}`}>
        <table className="rows">
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col">Score</th>
              <th scope="col">Against baseline</th>
              <th scope="col" className="number">
                p (Holm)
              </th>
              <th scope="col">Verdict</th>
              <th scope="col">Flips</th>
              <th scope="col" className="number">
                Latency
              </th>
              <th scope="col" className="number">
                Memory
              </th>
              <th scope="col" className="number">
                Tokens/s
              </th>
            </tr>
          </thead>
          <tbody>
            {compared.results.map((result) => (
              <Row key={result.label} result={result} compared={compared} route={route} />
            ))}
          </tbody>
        </table>
      </TableFrame>
      {base !== undefined && against !== undefined ? <FlipsTable compared={compared} base={base} against={against} route={route} /> : null}
      <Categories compared={compared} />
    </section>
  );
}
