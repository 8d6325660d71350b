// The viewer as one Hono app: guards first, then the client's files and the data.
import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { RunLibrary } from '../../app/view/open-library.ts';
import { type ErrorCode, messageOf, ToolError } from '../../core/errors.ts';
import { apiRoutes } from './api-routes.ts';
import type { ClientFile, ClientFiles } from './client-files.ts';
import { checkHost, checkOrigin, checkToken, type GuardOptions, secureHeaders } from './guard.ts';

export interface ViewerAppOptions extends GuardOptions {
  readonly library: RunLibrary;
  readonly files: ClientFiles;
}

const statuses: Partial<Record<ErrorCode, ContentfulStatusCode>> = { usage: 400, data: 422, 'not-found': 404, locked: 409 };

function fileResponse(file: ClientFile, isPage: boolean): Response {
  return new Response(file.bytes, {
    headers: {
      'Content-Type': file.type,
      // Asset names hold a digest of their content.
      'Cache-Control': isPage ? 'no-store' : 'private, max-age=31536000, immutable',
    },
  });
}

export function createViewerApp(options: ViewerAppOptions): Hono {
  const app = new Hono();
  app.use(secureHeaders(), checkHost(options), checkOrigin(options), checkToken(options));
  app.route('/api', apiRoutes(options.library));
  app.get('*', (context) => {
    const name = context.req.path === '/' ? 'index.html' : context.req.path.slice(1);
    const file = options.files.get(name);
    return file === undefined ? context.notFound() : fileResponse(file, name === 'index.html');
  });
  app.notFound((context) => context.json({ error: 'nothing here' }, 404));
  app.onError((thrown, context) => {
    const code = ToolError.isInstance(thrown) ? thrown.code : 'internal';
    const hint = ToolError.isInstance(thrown) ? thrown.hint : undefined;
    return context.json({ error: messageOf(thrown), code, hint }, statuses[code] ?? 500);
  });
  return app;
}
