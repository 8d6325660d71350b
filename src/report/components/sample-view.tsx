// One question with every model's answer: exact prompt, raw output, reasoning, rule that read it, gold.

import type { ExplorerAnswer, ExplorerData, ExplorerItem } from '../explorer-data.ts';
import { formatDuration } from '../format-values.ts';
import { Name } from './name.tsx';
import { visibleText } from './visible-text.ts';

function Answer({ answer, model }: { readonly answer: ExplorerAnswer; readonly model: string }) {
  return (
    <div className="answer">
      <p>
        <span className={`verdict ${answer.verdict}`}>{answer.verdict}</span> <Name>{model}</Name>
        {answer.reason === null ? null : <span className="note"> {visibleText(answer.reason)}</span>}
        <span className="note">
          {' '}
          {formatDuration(answer.latencyMs)}
          {answer.rule === null ? '' : `, read by ${visibleText(answer.rule)}`}
        </span>
      </p>
      {answer.prediction === null ? null : (
        <p>
          Answer: <Name>{answer.prediction}</Name>
        </p>
      )}
      {answer.raw === null ? null : <pre>{visibleText(answer.raw)}</pre>}
    </div>
  );
}

export function SampleView({ item, data }: { readonly item: ExplorerItem; readonly data: ExplorerData }) {
  return (
    <details>
      <summary>
        {item.answers.map((answer) => (
          <span key={`${answer.model} ${answer.repeat}`} className={`dot ${answer.verdict}`}>
            <span className="visually-hidden">{answer.verdict} </span>
          </span>
        ))}{' '}
        <Name>{data.tasks[item.task] ?? ''}</Name> <Name>{item.question.replace(/\s+/g, ' ').slice(0, 110)}</Name>
      </summary>
      <pre>{visibleText(item.question)}</pre>
      {item.gold === null ? null : (
        <p>
          Gold: <Name>{item.gold}</Name>
        </p>
      )}
      {item.answers.map((answer) => (
        <Answer key={`${answer.model} ${answer.repeat}`} answer={answer} model={data.models[answer.model] ?? ''} />
      ))}
    </details>
  );
}
