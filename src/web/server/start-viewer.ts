// Listens on a loopback address only and prints nothing: the caller gets the address with its token.
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { type ServerType, serve } from '@hono/node-server';
import type { RunLibrary } from '../../app/view/open-library.ts';
import { messageOf, ToolError } from '../../core/errors.ts';
import { clientFolder, readClientFiles } from './client-files.ts';
import { createViewerApp } from './create-viewer-app.ts';

export interface ViewerOptions {
  readonly library: RunLibrary;
  /** 0 takes any free port. */
  readonly port: number;
  /** @default 127.0.0.1; only loopback addresses are accepted */
  readonly host?: string | undefined;
  /** Folder of the built client. @default beside this file */
  readonly clientFolder?: string | undefined;
}

export interface Viewer {
  /** Address for the first visit, with the token. */
  readonly url: string;
  readonly token: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

const loopback: Readonly<Record<string, string>> = { '127.0.0.1': '127.0.0.1', localhost: '127.0.0.1', '::1': '::1' };

/** @throws ToolError `usage` for an address that others could reach, or a port that is taken */
export async function startViewer(options: ViewerOptions): Promise<Viewer> {
  const wanted = options.host ?? '127.0.0.1';
  const hostname = loopback[wanted];
  if (hostname === undefined)
    throw new ToolError('usage', `the viewer listens on this machine only, not on ${wanted}`, {
      hint: 'use an SSH tunnel (ssh -L 7878:127.0.0.1:7878 HOST), or --export for a static site',
    });
  const token = randomBytes(24).toString('base64url');
  let port = options.port;
  const files = readClientFiles(options.clientFolder ?? clientFolder());
  const app = createViewerApp({ library: options.library, files, token, port: () => port });
  const server = await listen(app.fetch, hostname, options.port);
  port = (server.address() as AddressInfo).port;
  const shown = hostname === '::1' ? '[::1]' : hostname;
  return {
    url: `http://${shown}:${port}/?token=${token}`,
    token,
    port,
    close: () => close(server),
  };
}

function listen(fetch: Parameters<typeof serve>[0]['fetch'], hostname: string, port: number): Promise<ServerType> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, hostname, port }, () => resolve(server));
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === 'EADDRINUSE';
      reject(
        new ToolError(taken ? 'usage' : 'internal', taken ? `port ${port} is taken` : messageOf(cause), {
          cause,
          hint: taken ? 'name another one with --port, or --port 0 for any free one' : undefined,
        }),
      );
    });
  });
}

function close(server: ServerType): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // Event streams never end by themselves.
    if ('closeAllConnections' in server) server.closeAllConnections();
  });
}
