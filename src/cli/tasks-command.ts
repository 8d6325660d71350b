// `slmbench tasks validate`: a valid task is described, a wrong one is explained.
import { explainTaskFile } from '../app/explain-task-file.ts';

export async function validateTaskFile(file: string, offline: boolean): Promise<string> {
  return explainTaskFile(file, offline);
}
