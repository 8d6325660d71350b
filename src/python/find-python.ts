// Finds a Python that can run the training worker. slmbench installs none: that is the machine's own matter.
import { ToolError } from '../core/errors.ts';
import { runCommand } from './run-command.ts';

export interface PythonInterpreter {
  readonly executable: string;
  /** `3.11.7`. */
  readonly version: string;
}

/** Oldest and newest minor version of Python 3 that the pinned packages have wheels for. */
export const supportedMinors: readonly [number, number] = [11, 14];

const question = 'import sys; print(sys.executable); print("%d.%d.%d" % sys.version_info[:3]); print(sys.maxsize > 2**32)';

/** Names to try, the plain ones first: they are what the user works with. */
function candidates(environment: Readonly<Record<string, string | undefined>>): readonly (readonly string[])[] {
  const named = environment['SLMBENCH_PYTHON'];
  if (named !== undefined && named !== '') return [[named]];
  const numbered = [14, 13, 12, 11].map((minor) => [`python3.${minor}`]);
  return [['python3'], ['python'], ...(process.platform === 'win32' ? [['py', '-3']] : []), ...numbered];
}

async function ask(command: readonly string[]): Promise<(PythonInterpreter & { readonly is64Bit: boolean }) | null> {
  const { code, stdout } = await runCommand(command[0]!, [...command.slice(1), '-I', '-c', question], { timeoutMs: 20_000 }).catch(() => ({
    code: null,
    stdout: '',
  }));
  const [executable, version, is64Bit] = stdout.split(/\r?\n/u);
  if (code !== 0 || executable === undefined || version === undefined || !/^\d+\.\d+\.\d+$/u.test(version)) return null;
  return { executable, version, is64Bit: is64Bit === 'True' };
}

export function isSupported(version: string): boolean {
  const [major, minor] = version.split('.').map(Number);
  return major === 3 && minor! >= supportedMinors[0] && minor! <= supportedMinors[1];
}

/**
 * The first Python of a fitting version: `SLMBENCH_PYTHON`, else python3, python, python3.14 ... on PATH.
 * @throws ToolError `unavailable` when there is none, or none that fits (with what was found)
 */
export async function findPython(environment: Readonly<Record<string, string | undefined>> = process.env): Promise<PythonInterpreter> {
  const unfit: string[] = [];
  for (const command of candidates(environment)) {
    const found = await ask(command);
    if (found === null) continue;
    if (isSupported(found.version) && found.is64Bit) return { executable: found.executable, version: found.version };
    unfit.push(`${found.executable} is ${found.version}${found.is64Bit ? '' : ' (32 bit)'}`);
  }
  const named = environment['SLMBENCH_PYTHON'];
  const wanted = `Python 3.${supportedMinors[0]} to 3.${supportedMinors[1]} (64 bit)`;
  const hint = 'only training and transformers models need it; install Python, or name one with SLMBENCH_PYTHON=/path/to/python3';
  if (unfit.length > 0)
    throw new ToolError('unavailable', `no fitting Python: ${[...new Set(unfit)].join(', ')}; training needs ${wanted}`, { hint });
  if (named) throw new ToolError('unavailable', `SLMBENCH_PYTHON names ${named}, which cannot be run`, { hint: `expected ${wanted}` });
  throw new ToolError('unavailable', `there is no Python on PATH; training needs ${wanted}`, { hint });
}
