// Items on which two contenders changed sides, with both answers and links to the whole samples.
import type { ReactNode } from 'react';
import type { ComparedResult, ComparedTask, FlipRow } from '../../../report/viewer/viewer-contract.ts';
import { useData } from '../data/data-context.ts';
import { useLoaded } from '../data/use-loaded.ts';
import { OutcomeBadge } from '../parts/badges.tsx';
import { Pager, Select } from '../parts/controls.tsx';
import { Shown } from '../parts/feedback.tsx';
import { TableFrame } from '../parts/table-frame.tsx';
import { Outside } from '../parts/text.tsx';
import { changeQuery, hashOf, type Route } from '../route.ts';

const pageSize = 25;
const directions = ['both', 'gained', 'lost'] as const;

function Side({ row, run }: { readonly row: FlipRow['left']; readonly run: string }): ReactNode {
  return (
    <>
      <a href={hashOf(['runs', run, 'samples', String(row.slot)])} data-open>
        <OutcomeBadge outcome={row.outcome} reason={row.reason} />
      </a>
      <div className="clamp">
        <Outside text={row.prediction} />
      </div>
    </>
  );
}

export interface FlipsTableProps {
  readonly compared: ComparedTask;
  readonly base: ComparedResult;
  readonly against: ComparedResult;
  readonly route: Route;
}

export function FlipsTable({ compared, base, against, route }: FlipsTableProps): ReactNode {
  const data = useData();
  const direction = directions.find((one) => one === route.query.get('direction')) ?? 'both';
  const offset = Math.max(0, Number(route.query.get('offset') ?? 0) || 0);
  const request = {
    task: compared.task,
    leftRun: base.run,
    leftModel: base.model,
    rightRun: against.run,
    rightModel: against.model,
    direction,
    offset,
    limit: pageSize,
  };
  const loaded = useLoaded(JSON.stringify(request), () => data.flips(request));
  return (
    <div className="inset">
      <div className="filters">
        <Select
          label="Show"
          value={direction}
          options={directions}
          onChange={(value) => changeQuery(route, { direction: value === 'both' ? null : value, offset: null })}
        />
      </div>
      <Shown loaded={loaded}>
        {(page) => (
          <>
            <TableFrame label="Flips">
              <table className="rows">
                <thead>
                  <tr>
                    <th scope="col">Question</th>
                    <th scope="col">Gold</th>
                    <th scope="col">
                      <Outside text={base.label} />
                    </th>
                    <th scope="col">
                      <Outside text={against.label} />
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {page.rows.map((row) => (
                    <tr key={`${row.id} ${row.left.repeat}`} data-row={row.id}>
                      <td className="wide">
                        <div className="clamp">
                          <Outside text={row.instruction} />
                        </div>
                      </td>
                      <td>
                        <div className="clamp">
                          <Outside text={row.label} />
                        </div>
                      </td>
                      <td>
                        <Side row={row.left} run={base.run} />
                      </td>
                      <td>
                        <Side row={row.right} run={against.run} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </TableFrame>
            <Pager
              offset={offset}
              limit={pageSize}
              matching={page.matching}
              what="flips"
              onChange={(next) => changeQuery(route, { offset: next || null })}
            />
          </>
        )}
      </Shown>
    </div>
  );
}
