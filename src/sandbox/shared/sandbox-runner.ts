// A code runner over one host process: programs queue up and run one after another.

import { ToolError } from '../../core/errors.ts';
import type { CodeLanguage, CodeRunner } from '../../core/ports/code-runner.ts';
import { type HostOptions, HostProcess } from './host-process.ts';

export function createSandboxRunner(language: CodeLanguage, options: HostOptions): CodeRunner {
  const host = new HostProcess(options);
  let queue: Promise<unknown> = Promise.resolve();
  return {
    languages: [language],
    run: (request) => {
      if (request.language !== language) {
        return Promise.reject(new ToolError('unsupported', `this sandbox runs ${language}, not ${request.language}`));
      }
      const result = queue.then(() => host.run(request));
      queue = result.catch(() => undefined);
      return result;
    },
    close: () => host.close(),
  };
}

/** URL of a host's entry file beside the caller, as source (.ts) or built (.js). */
export function entryBeside(callerUrl: string, name: string): string {
  return new URL(`./${name}${callerUrl.endsWith('.ts') ? '.ts' : '.js'}`, callerUrl).href;
}
