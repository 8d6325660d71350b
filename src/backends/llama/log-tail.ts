// The last lines of a process's output, made safe to print: no control sequences.
export interface LogTail {
  readonly push: (chunk: Uint8Array) => void;
  readonly lines: () => readonly string[];
}

export function createLogTail(limit: number): LogTail {
  const decoder = new TextDecoder();
  let kept: string[] = [];
  let open = '';
  return {
    push: (chunk) => {
      const parts = (open + decoder.decode(chunk, { stream: true })).split('\n');
      open = parts.pop()!.slice(-4096);
      kept = [...kept, ...parts.map(withoutControls).filter((line) => line !== '')].slice(-limit);
    },
    lines: () => (open === '' ? kept : [...kept, withoutControls(open)]),
  };
}

/** Removes terminal control sequences (ECMA-48) and other control characters. */
export function withoutControls(line: string): string {
  return line
    .replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/gu, '')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu, '')
    .trimEnd()
    .slice(0, 500);
}
