// How far judges agree with people: the panel and each of its judges against human labels of the same answers.
import type { Metric } from '../core/metric.ts';
import type { PredictionRow } from '../core/prediction.ts';
import { readJudgeDetail } from './judge-replies.ts';
import { judgeAgreement } from './judge-verdicts.ts';
import { metricValue } from './metric-value.ts';
import { readUseOptions } from './use-options.ts';

type Pair = { readonly judge: string | null; readonly human: string };

/** Points may be written `4` or `4.0`; labels are compared as they are. */
function comparable(verdict: string): string {
  const points = verdict.trim() === '' ? Number.NaN : Number(verdict);
  return Number.isFinite(points) ? String(points) : verdict.trim();
}

function humanLabelOf(row: PredictionRow): string | null {
  const label = row.extra?.['humanLabel'];
  return typeof label === 'string' || typeof label === 'number' ? comparable(String(label)) : null;
}

const description = "share of graded answers on which a judge gives the human label, with Cohen's kappa; the panel first, then each judge";

export const judgeAgreementMetric: Metric = {
  name: 'judge_agreement',
  version: '1',
  title: 'Agreement of judges with people',
  description,
  higherIsBetter: true,
  create: (options) => {
    readUseOptions('judge_agreement', options.use, {});
    const pairs = new Map<string, Pair[]>([['panel', []]]);
    const note = (name: string, pair: Pair) => {
      const list = pairs.get(name) ?? [];
      list.push(pair);
      pairs.set(name, list);
    };
    return {
      add: (row) => {
        const human = humanLabelOf(row);
        const grade = row.grades?.find((one) => one.grader === 'judge');
        if (human === null || grade === undefined) return null;
        const panel = grade.score === null ? null : comparable(grade.verdict ?? '');
        note('panel', { judge: panel, human });
        for (const { judge, verdict } of readJudgeDetail(grade.detail))
          note(judge, { judge: verdict === null ? null : comparable(verdict), human });
        return panel === null ? null : panel === human ? 1 : 0;
      },
      finish: () => {
        const notes: string[] = [];
        const facts = { name: 'judge_agreement', version: '1', higherIsBetter: true, unit: 'fraction' };
        const values = [...pairs].flatMap(([name, list]) => {
          const { n, unscored, accuracy, kappa } = judgeAgreement(list);
          if (unscored > 0) notes.push(`${name}: ${unscored} answers without a verdict`);
          const rest = { n, interval: null, standardError: null };
          return [
            metricValue(facts, { ...rest, value: accuracy, average: name }),
            metricValue(
              { ...facts, name: 'judge_kappa', unit: 'score' },
              { ...rest, value: kappa, n: kappa === null ? 0 : n, average: name },
            ),
          ];
        });
        return notes.length > 0 ? { values, details: { notes } } : { values };
      },
    };
  },
};
