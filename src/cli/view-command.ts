// `slmbench view`: serves the viewer until it is interrupted, or exports it.
import { exportSite } from '../app/view/export-site.ts';
import { openLibrary } from '../app/view/open-library.ts';
import { openWorkspace } from '../app/workspace.ts';
import { clientFolder, readClientFiles } from '../web/server/client-files.ts';
import { startViewer } from '../web/server/start-viewer.ts';
import type { ViewFlags } from './verbs/view.ts';

function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
}

export async function viewCommand(flags: ViewFlags): Promise<number> {
  const workspace = await openWorkspace({ output: flags.output, offline: true });
  const library = await openLibrary(workspace, flags.training);
  if (flags.export !== undefined) {
    const site = await exportSite({ library, client: readClientFiles(clientFolder()), target: flags.export });
    process.stdout.write(
      flags.json === true
        ? `${JSON.stringify(site)}\n`
        : `${site.runs} runs with ${site.samples} samples written to ${site.folder}; open ${site.page} in a browser\n`,
    );
    return 0;
  }
  const viewer = await startViewer({ library, port: flags.port, host: flags.host });
  process.stdout.write(
    flags.json === true
      ? `${JSON.stringify({ url: viewer.url, port: viewer.port })}\n`
      : `Viewing ${library.folder}\n\n  ${viewer.url}\n\nThe address holds a token for this session. Ctrl-C ends it.\n`,
  );
  await untilInterrupted();
  await viewer.close();
  return 0;
}
