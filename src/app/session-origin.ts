// Who runs and where: tool version and revision, the user's project, the command and the host; fixed at the start of a session.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readGitFacts } from '../profiler/git-facts.ts';
import { readHostFacts } from '../profiler/host-facts.ts';
import type { SessionOrigin } from '../runner/run-facts.ts';

/** Folder of this package: two up from src/app and from dist/app. */
export const packageFolder: string = fileURLToPath(new URL('../../', import.meta.url));

export interface PackageFacts {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

export function readPackageFacts(): PackageFacts {
  const facts = JSON.parse(readFileSync(`${packageFolder}package.json`, 'utf8')) as PackageFacts;
  return { version: facts.version, dependencies: facts.dependencies };
}

/** Versions of the packages that can move a number. */
function installedVersions(): Record<string, string> {
  const versions: Record<string, string> = {};
  for (const name of [
    'koffi',
    '@huggingface/jinja',
    'hyparquet',
    'apache-arrow',
    `@node-llama-cpp/${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`,
  ]) {
    try {
      versions[name] = (
        JSON.parse(readFileSync(`${packageFolder}node_modules/${name}/package.json`, 'utf8')) as { version: string }
      ).version;
    } catch {
      // Hoisted elsewhere or not installed: the record then lacks this line, nothing more.
    }
  }
  return versions;
}

export async function readSessionOrigin(command: string): Promise<SessionOrigin> {
  const [toolGit, project, environment] = await Promise.all([
    readGitFacts(packageFolder),
    readGitFacts(process.cwd()),
    readHostFacts(installedVersions()),
  ]);
  return {
    tool: { name: 'slmbench', version: readPackageFacts().version, git: toolGit },
    project: project.commit === null ? null : project,
    command,
    environment,
  };
}
